import { type ReactNode, useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import noFriends from '#web/art/empty/no-friends.svg'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink, IconButton, IconLink } from '#web/ui/button.tsx'
import { Check } from '#web/ui/check.tsx'
import { Chips, RadioChips } from '#web/ui/chips.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { CopyLinkDialog } from '#web/ui/copy-link-dialog.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SearchField, SelectField, TextArea, TextField } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { GroupHead } from '#web/ui/group-head.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { InboxRow, UnreadDot } from '#web/ui/inbox-row.tsx'
import { Cluster, Grid, Row, Stack } from '#web/ui/layout.tsx'
import { Leader } from '#web/ui/leader.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { PageHead } from '#web/ui/page.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { CardsSkeleton, RowsSkeleton } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { Thumbnail } from '#web/ui/thumbnail.tsx'
import { ToastHost } from '#web/ui/toast-host.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import css from './components.module.css'

const nothing = () => undefined
const longName = 'a_neighbor_with_a_name_that_goes_on'

/** Shows every component in every state, for `e2e/components.spec.ts`. It is not in the production build. */
export function Components() {
  return (
    <main className={css.gallery}>
      <Buttons />
      <Fields />
      <Choices />
      <Messages />
      <Members />
      <PageParts />
      <Skeletons />
      <Overlays />
      <ToastHost />
    </main>
  )
}

function Buttons() {
  return (
    <Section name="Buttons">
      {(['primary', 'secondary', 'quiet', 'danger', 'dangerSolid'] as const).map((variant) => (
        <Cluster gap="3" key={variant}>
          <Button variant={variant}>{variant}</Button>
          <Button variant={variant} size="small">
            <Icon name="plus" size={20} />
            small
          </Button>
          <Button variant={variant} disabled>
            disabled
          </Button>
          <Button variant={variant} busy="Loading...">
            busy
          </Button>
        </Cluster>
      ))}
      <Button wide>wide</Button>
      <Cluster gap="3">
        <ButtonLink variant="secondary" to="/">
          a link
        </ButtonLink>
        {(['plain', 'solid', 'line', 'paper', 'delete'] as const).map((variant) => (
          <IconButton key={variant} label={variant} variant={variant}>
            <Icon name="edit" />
          </IconButton>
        ))}
        <IconLink label="a link" to="/">
          <Icon name="back" />
        </IconLink>
      </Cluster>
    </Section>
  )
}

function Fields() {
  return (
    <Section name="Fields">
      <div className={css.grid}>
        <TextField label="Empty" placeholder="Placeholder" />
        <TextField label="Filled" defaultValue="Filled" hint="A hint." optional />
        <TextField label="Wrong" defaultValue="Wrong" error="An error with its correction" />
        <TextField label="Money" defaultValue="12" affix={{ sign: '$', side: 'start' }} />
        <TextField label="Disabled" defaultValue="Disabled" disabled />
        <SelectField label="Select" options={[{ value: 1, label: 'one of several' }]} />
        <TextArea label="Text" defaultValue={'Two\nlines'} counter={{ count: 9, max: 1000 }} hint="A hint." />
        <TextArea label="Wrong text" error="Too long" counter={{ count: 1001, max: 1000 }} />
        <SearchField label="Search" />
        <SearchBox label="Search" words="words" onSearch={nothing} />
        <Grid columns="7rem" gap="3">
          <TextField label="Day" type="date" defaultValue="2026-05-01" />
          <TextField label="Time" type="time" defaultValue="10:00" />
        </Grid>
      </div>
    </Section>
  )
}

function Choices() {
  return (
    <Section name="Choices">
      <Cluster gap="3">
        <Check label="off" />
        <Check label="on" defaultChecked />
        <Switch label="off" checked={false} onChange={nothing} />
        <Switch label="on" checked onChange={nothing} />
        <Switch label="pending" checked pending onChange={nothing} />
      </Cluster>
      <RadioChips
        labelOf={(choice) => choice}
        legend="One"
        choices={['newest', 'oldest']}
        chosen="newest"
        onChoose={nothing}
      />
      <Chips
        labelOf={(choice) => choice}
        legend="Several"
        choices={['exchange', 'sell', 'giveaway']}
        chosen={['exchange', 'giveaway']}
        onPress={nothing}
      />
      <Chips
        labelOf={(choice) => choice}
        legend="Many"
        choices={['one', 'two', 'three', 'four', 'five']}
        chosen={['five']}
        onPress={nothing}
      />
      <TabLinks
        label="Tabs"
        items={[
          { label: 'Have', to: '/', current: true },
          { label: 'Want', to: '/', current: false },
        ]}
      />
    </Section>
  )
}

function Messages() {
  return (
    <Section name="Messages">
      <Banner kind="error">
        An error.{'\n'}
        In two lines.
      </Banner>
      <Banner kind="error" onDismiss={nothing}>
        An error that can be dismissed.
      </Banner>
      <Banner kind="success">A success.</Banner>
      <ErrorState text="An error instead of the content." />
      <ErrorState text="An error with a retry." onRetry={nothing} />
      <Empty art={noFriends} text="An empty list.">
        <ButtonLink variant="secondary" to="/">
          A next step
        </ButtonLink>
      </Empty>
    </Section>
  )
}

function Members() {
  return (
    <Section name="Members">
      <Cluster gap="3">
        {[6, 7, 8, 9, 10, 11].map((id) => (
          <Avatar key={id} id={id} name={`${id}`} picture={null} />
        ))}
        <Avatar id={1} name="xs" picture={null} size="xs" />
        <Avatar id={2} name="md" picture={null} size="md" />
        <Avatar id={3} name="lg" picture={null} size="lg" />
        <Avatar id={4} name="photo" picture={noFriends} size="md" />
      </Cluster>
      <Row gap="6" align="stretch">
        {[0, 1, 12, 99, 100].map((count) => (
          <span key={count}>
            <Badge count={count} />
          </span>
        ))}
      </Row>
      <ul>
        {[true, false].map((unread) => (
          <li key={String(unread)}>
            <InboxRow unread={unread} to="/">
              <Avatar id={5} name="n" picture={null} />
              <span className={css.text}>
                {longName} {unread ? 'is new' : 'was read'}
              </span>
              {unread && <UnreadDot />}
            </InboxRow>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function PageParts() {
  return (
    <Section name="Page parts">
      <PageHead title="title of a page" action={<Button size="small">save</Button>} />
      <PageHead
        title={longName}
        isName
        back={
          <IconButton label="Back">
            <Icon name="back" />
          </IconButton>
        }
      />
      <GroupHead icon="produce" title="group" count="2 of 5" />
      <Cluster gap="3">
        <div className={css.thumbnail}>
          <Thumbnail alt="" picture={{ src: noFriends }} sizes="160px" />
        </div>
        <span>Label</span>
        <Leader />
        <span>value</span>
      </Cluster>
      <LoadMore {...pages} fetchNextPage={nothing} failure="" />
      <LoadMore {...pages} isFetchingNextPage fetchNextPage={nothing} failure="" />
      <LoadMore {...pages} isFetchNextPageError fetchNextPage={nothing} failure="The next page failed." />
    </Section>
  )
}

function Skeletons() {
  return (
    <Section name="Skeletons">
      <RowsSkeleton count={2} />
      <CardsSkeleton count={3} />
    </Section>
  )
}

const pages = {
  items: undefined,
  isPlaceholderData: false,
  hasNextPage: true,
  isRefetching: false,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
}

function Section({ name, children }: { name: string; children: ReactNode }) {
  const id = useId()
  return (
    <Stack as="section" className={css.section} aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      {children}
    </Stack>
  )
}

function Overlays() {
  const [open, setOpen] = useState<'question' | 'failure' | 'form' | 'link'>()
  const form = useForm()
  const toasts = useToasts()
  const close = () => setOpen(undefined)
  return (
    <Section name="Overlays">
      <Cluster gap="3">
        {(['question', 'failure', 'form', 'link'] as const).map((which) => (
          <Button key={which} variant="secondary" onClick={() => setOpen(which)}>
            {which}
          </Button>
        ))}
        <Button
          variant="secondary"
          onClick={() =>
            toasts.showAction({ key: 'example', text: 'An action.', label: 'Do it', press: nothing })
          }
        >
          action toast
        </Button>
        <Button variant="secondary" onClick={() => toasts.show('Link copied')}>
          toast
        </Button>
      </Cluster>
      {(open === 'question' || open === 'failure') && (
        <ConfirmDialog
          title={open}
          action="remove"
          busy={false}
          error={open === 'failure' ? 'An error.' : undefined}
          onConfirm={close}
          onClose={close}
        >
          Are you sure? The consequences are in a line or two.
        </ConfirmDialog>
      )}
      {open === 'form' && (
        <FormDialog title="form" onClose={close} form={form} onSubmit={close} submit={{ label: 'send' }}>
          <TextField label="Field" hint="A hint." />
        </FormDialog>
      )}
      {open === 'link' && (
        <CopyLinkDialog
          title="link"
          link="https://rhubarb.example/listings/7"
          linkLabel="Link"
          subject="A listing"
          onClose={close}
        />
      )}
    </Section>
  )
}
