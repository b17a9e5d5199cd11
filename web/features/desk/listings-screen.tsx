import { plural, t } from '@lingui/core/macro'
import { getRouteApi } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { categoryName, limits } from '#contract/constants.ts'
import type { DeskListing } from '#contract/desk-listings.ts'
import type { Photo } from '#contract/images.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { categoryLabel } from '#web/features/listings/categories.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Button } from '#web/ui/button.tsx'
import { Check } from '#web/ui/check.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { SelectField } from '#web/ui/field.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { shortTime, Time } from '#web/ui/time.tsx'
import { DeskMemberLink } from './desk-member-link.tsx'
import { DeskPage } from './desk-page.tsx'
import { deskListingsQuery, waitingListingsQuery } from './desk-queries.ts'
import { HistoryLink } from './history-link.tsx'
import { ListingActionDialog } from './listing-action-dialog.tsx'

const route = getRouteApi('/_members/desk/listings')

/** The listings that wait for the desk and the newest others with their photos, each or several to be hidden, shown or put into another category. */
export function ListingsScreen() {
  const { hidden } = route.useSearch()
  const navigate = route.useNavigate()
  const waiting = useInfiniteList(waitingListingsQuery)
  const list = useInfiniteList(deskListingsQuery(hidden))
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [decided, setDecided] = useState<readonly DeskListing[]>()
  const waitingId = useId()
  return (
    <DeskPage>
      {waiting.items !== undefined && !waiting.isEmpty && (
        <section className={layout.above5} aria-labelledby={waitingId}>
          <h2 id={waitingId}>{t`First listings that wait to be shown`}</h2>
          <PagedList
            list={waiting}
            skeleton={<RowsSkeleton />}
            empty={null}
            failure={t`Failed to load data`}
            of={t`listings`}
          >
            {(items) => <Listings items={items} chosen={chosen} onChoose={setChosen} onDecide={setDecided} />}
          </PagedList>
        </section>
      )}
      <Stack as="section" gap="3" className={layout.above5} aria-label={t`Filter`}>
        <SelectField
          label={t`Listings`}
          value={hidden ? 'hidden' : ''}
          options={[
            { value: '', label: t`all listings` },
            { value: 'hidden', label: t`hidden ones` },
          ]}
          onChange={({ target }) => {
            setChosen(new Set())
            void navigate({ search: { hidden: target.value !== '' || undefined }, replace: true })
          }}
        />
      </Stack>
      <PagedList
        list={list}
        skeleton={<RowsSkeleton />}
        empty={<p className={layout.above5}>{t`No listings.`}</p>}
        failure={t`Failed to load data`}
        of={t`listings`}
      >
        {(items) => <Listings items={items} chosen={chosen} onChoose={setChosen} onDecide={setDecided} />}
      </PagedList>
      {decided && (
        <ListingActionDialog
          listings={decided}
          onDone={() => setChosen(new Set())}
          onClose={() => setDecided(undefined)}
        />
      )}
    </DeskPage>
  )
}

interface ListingsProps {
  items: readonly DeskListing[]
  /** The ids of the listings with a check mark. */
  chosen: ReadonlySet<number>
  onChoose: (chosen: ReadonlySet<number>) => void
  onDecide: (listings: readonly DeskListing[]) => void
}

function Listings({ items, chosen, onChoose, onDecide }: ListingsProps) {
  const together = items.filter(({ id }) => chosen.has(id))
  return (
    <Stack as="ul" gap="6" className={layout.above5}>
      {items.map((listing) => {
        const isChosen = chosen.has(listing.id)
        return (
          <li key={listing.id}>
            <Stack as="article" gap="2" className={classNames(layout.ruled, text.breakable)}>
              <Check
                label={listing.title}
                checked={isChosen}
                disabled={!isChosen && together.length >= limits.deskListings}
                onChange={({ target }) => {
                  const others = [...chosen].filter((id) => id !== listing.id)
                  onChoose(new Set(target.checked ? [...others, listing.id] : others))
                }}
              />
              <Facts listing={listing} />
              <Cluster gap="2">
                <Button size="small" onClick={() => onDecide(isChosen ? together : [listing])}>
                  {isChosen && together.length > 1
                    ? plural(
                        { count: together.length },
                        { one: 'decide on # listing', other: 'decide on # listings' },
                      )
                    : t`decide`}
                </Button>
              </Cluster>
              <Links listing={listing} />
            </Stack>
          </li>
        )
      })}
    </Stack>
  )
}

function Facts({ listing }: { listing: DeskListing }) {
  const { title, description, owner, category_id, images, created_at } = listing
  const { is_hidden, is_held, is_public, is_active, is_expired } = listing
  const states = [
    ...(is_public ? [] : [t`for friends`]),
    ...(is_active ? [] : [t`inactive`]),
    ...(is_expired ? [t`ended`] : []),
    ...(is_held ? [t`waits to be shown`] : is_hidden ? [t`hidden`] : []),
  ]
  return (
    <>
      <p className={text.muted}>
        <bdi>{owner.username}</bdi> · {categoryLabel(categoryName(category_id))} ·{' '}
        <Time at={created_at} format={shortTime} />
        {states.map((state) => (
          <b key={state}> · {state}</b>
        ))}
      </p>
      {description !== '' && <p dir="auto">{description}</p>}
      {images.length > 0 && (
        <Cluster gap="2">
          {images.map((photo, index) => (
            <Picture key={photo.id} photo={photo} title={title} number={index + 1} />
          ))}
        </Cluster>
      )}
    </>
  )
}

/** The width of a photo, in pixels. */
const photoWidth = 160

function Picture({ photo, title, number }: { photo: Photo; title: string; number: number }) {
  const { src, srcset, width, height, alt } = photo
  return (
    <img
      src={src}
      srcSet={srcset}
      sizes={`${photoWidth}px`}
      width={photoWidth}
      height={Math.round((photoWidth * height) / width)}
      alt={alt ?? t`Photo ${{ number }} of ${{ title }}`}
      loading="lazy"
      decoding="async"
    />
  )
}

function Links({ listing: { id, owner } }: { listing: DeskListing }) {
  return (
    <Cluster gap="4">
      <DeskMemberLink id={owner.id}>{t`about the member`}</DeskMemberLink>
      <HistoryLink target="listing" id={id} />
    </Cluster>
  )
}
