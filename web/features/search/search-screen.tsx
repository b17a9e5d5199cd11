import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { categories } from '#contract/constants.ts'
import { CategoryButtons } from '#web/features/listings/category-buttons.tsx'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { textOf } from '#web/i18n/i18n.ts'
import layout from '#web/styles/layout.module.css'
import { ChipLinks } from '#web/ui/chip-links.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { Page } from '#web/ui/page.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { usePendingSearch } from '#web/ui/use-pending-location.ts'
import { ListingResults } from './listing-results.tsx'
import { MarketLinks } from './market-links.tsx'
import { MemberResults } from './member-results.tsx'
import { parseSearchAddress, type SearchAddress, type SearchTab, searchTabs } from './search-address.ts'
import { WantResults } from './want-results.tsx'

type SearchScreenProps = {
  to: '/have-want-search' | '/friend-search'
  /** The default tab. */
  defaultTab: SearchTab
  search: SearchAddress
}

const labels: Record<SearchTab, MessageDescriptor> = {
  have: msg`listings`,
  want: msg`wish lists`,
  members: msg`members`,
}
const searchLabels: Record<SearchTab, MessageDescriptor> = {
  have: msg`Search listings`,
  want: msg`Search wish lists`,
  members: msg`Search by username`,
}

export function SearchScreen(props: SearchScreenProps) {
  const { tab = props.defaultTab, category, q } = props.search
  const category_id = category && categories[category]
  return (
    <Page rail={<SearchRail {...props} />}>
      {tab === 'have' && <ListingResults {...props.search} />}
      {tab === 'want' && <WantResults q={q} category_id={category_id} />}
      {tab === 'members' && <MemberResults q={q} />}
    </Page>
  )
}

function SearchRail({ to, defaultTab, search: shown }: SearchScreenProps) {
  const navigate = useNavigate()
  const search = usePendingSearch(to, parseSearchAddress, shown)
  const { tab = defaultTab, category, q } = search
  return (
    <>
      <MemberHead
        title={t`search`}
        back={<BackLink to={to === '/friend-search' ? '/myfriends' : '/listings'} />}
      />
      <TabLinks
        label={t`What to add`}
        items={[
          { label: t`Have`, to: '/listings/new' },
          { label: t`Want`, to: '/' },
        ]}
      />
      <Stack className={layout.above4}>
        <ChipLinks
          label={t`What is searched`}
          items={searchTabs.map((name) => ({
            label: textOf(labels[name]),
            to,
            search: { ...search, tab: name },
            current: name === tab,
          }))}
        />
        <SearchBox
          label={textOf(searchLabels[tab])}
          words={q}
          onSearch={(words) => void navigate({ to, search: { ...search, q: words }, replace: true })}
        />
        {tab !== 'members' && (
          <CategoryButtons
            chosen={category}
            onChoose={(chosen) => void navigate({ to, search: { ...search, category: chosen } })}
          />
        )}
        <MarketLinks search={search} />
      </Stack>
    </>
  )
}
