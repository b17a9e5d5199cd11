import type { Generated, GeneratedAlways, JSONColumnType, Kysely, Selectable, Transaction } from 'kysely'
import type { BanKind } from '#contract/bans.ts'
import type { CategoryId, StateId, TypeId } from '#contract/constants.ts'
import type { AuditAction, AuditTarget } from '#contract/desk.ts'
import type { DeskRole } from '#contract/desk-roles.ts'
import type { FigureKind } from '#contract/figures.ts'
import type { Language } from '#contract/languages.ts'
import type { Drawing } from '#contract/listings.ts'
import type { NoticeKind, NoticeListing } from '#contract/notices.ts'
import type { CaseOutcome, NoticedThing, ReportCase, SiteRule, Snapshot } from '#contract/report-cases.ts'
import type { EndReason, TradeKind, TradeState } from '#contract/trades.ts'
import type { Reason } from '#server/features/matching/reason.ts'

/** The database, or a transaction on it. */
export type Db = Kysely<Tables>

export type Tx = Transaction<Tables>

/** A suspension that was lifted. One by a command of the shell has no rule, reason or end. */
export interface PastSuspension {
  readonly rule: SiteRule | null
  readonly reason: string | null
  readonly ends_at: string | null
}

/** The types of all tables. Timestamps are read as ISO 8601 text, money and ids as numbers. */
export interface Tables {
  images: {
    id: GeneratedAlways<number>
    name: string
    owner_id: number | null
    purpose: 'avatar' | 'photo' | 'logo'
    width: number
    height: number
    placeholder: string
    widths: number[]
    bytes: Generated<number>
    alt: string | null
    listing_id: number | null
    message_id: number | null
    position: number | null
    created_at: Generated<string>
  }
  users: {
    id: Generated<number>
    username: string
    /** Null after the owner of the address has disowned the account. */
    email: string | null
    password_hash: string
    first_name: string
    last_name: string
    city: string | null
    state: string | null
    zip_code: string | null
    address: string | null
    apt: string | null
    picture_name: string | null
    created_at: Generated<string>
    email_confirmed_at: string | null
    email_refused_at: string | null
    suspended_at: string | null
    mail_matches: Generated<'at_once' | 'daily' | 'never'>
    mail_unread: Generated<boolean>
    mail_listings: Generated<boolean>
    mail_trades: Generated<boolean>
    /** Read it with `matchRadius`. */
    match_radius: number | null
    match_anywhere: Generated<boolean>
    postal_code_id: Generated<number>
    time_zone: string | null
    language: Language | null
    invitation_version: Generated<number>
  }
  former_usernames: { spelling_hash: Buffer; user_id: number | null; given_up_at: Generated<string> }
  sessions: {
    token_hash: Buffer
    user_id: number
    created_at: Generated<string>
    expires_at: string
  }
  friendships: {
    low_id: number
    high_id: number
    requester_id: number
    status: 'pending' | 'accepted' | 'rejected'
    created_at: Generated<string>
    id: GeneratedAlways<number>
    receiver_id: GeneratedAlways<number>
    answered_at: string | null
    declines: Generated<number>
  }
  notifications: {
    id: GeneratedAlways<number>
    user_id: number
    from_id: number
    kind: string
    created_at: Generated<string>
    read_at: string | null
    about_type: string
    about_id: number
    data: JSONColumnType<object>
    /** For the previous release; a trigger fills them. */
    want_id: GeneratedAlways<number | null>
    listing_id: GeneratedAlways<number | null>
    more: GeneratedAlways<number>
    trade_id: GeneratedAlways<number | null>
  }
  deliveries: {
    user_id: number
    channel: 'mail' | 'push'
    topic: string
    subject_id: Generated<number>
    due_at: string | null
    sent_at: string | null
    sent_id: Generated<number>
  }
  invitations: {
    id: GeneratedAlways<number>
    user_id: number | null
    email: string | null
    email_hash: Buffer
    token_hash: Buffer | null
    created_at: Generated<string>
    refused_at: string | null
  }
  invitation_opt_outs: { email_hash: Buffer; created_at: Generated<string> }
  listings: {
    id: Generated<number>
    owner_id: number
    title: string
    description: string
    price: number
    is_active: boolean
    is_public: boolean
    type_id: TypeId
    state_id: StateId
    category_id: CategoryId | null
    drawing: Generated<Drawing>
    created_at: Generated<string>
    updated_at: Generated<string>
    hidden_at: string | null
    is_held: Generated<boolean>
    days: Generated<number>
    expires_at: Generated<string>
    ended_at: string | null
    remind_at: string | null
    open_to_rings: Generated<boolean>
    quantity: number | null
    quantity_left: number | null
    ready_from: string | null
    ready_at: string | null
    unit: string | null
    postal_code_id: Generated<number>
    search: Generated<string>
    index_version: Generated<number>
    client_id: string | null
    folded_under: number | null
    folded_count: Generated<number>
    crops: Generated<string[]>
  }
  wants: {
    id: Generated<number>
    user_id: number
    title: string
    category_id: CategoryId | null
    created_at: Generated<string>
    updated_at: Generated<string>
    terms_version: Generated<number>
    crops: Generated<string[]>
    postal_code_id: Generated<number>
  }
  want_terms: {
    term: string
    want_id: number
    wanted: boolean
    user_id: number
    category_id: CategoryId | null
  }
  matches: {
    id: GeneratedAlways<number>
    want_id: number
    listing_id: number
    user_id: number
    owner_id: number
    kind: 'same' | 'synonym' | 'cultivar' | 'kind' | 'group' | 'words'
    reason: string
    why: JSONColumnType<Reason> | null
    is_swap: Generated<boolean>
    fits: Generated<boolean>
    created_at: Generated<string>
    dismissed_at: string | null
    mail_pending: Generated<boolean>
    push_pending: Generated<boolean>
  }
  notification_schedule: {
    user_id: number
    channel: 'mail' | 'push'
    due_at: string | null
    sent_at: string | null
  }
  push_subscriptions: {
    id: Generated<number>
    user_id: number
    /** Null after the end of the session. */
    session_hash: Buffer | null
    endpoint: string
    p256dh: string
    auth: string
    created_at: Generated<string>
  }
  search_terms: { term: string; deletions: string[]; listing_count: Generated<number> }
  password_resets: {
    token_hash: Buffer
    user_id: number
    job_id: string | null
    ended: Generated<'used' | 'replaced' | 'revoked' | null>
    created_at: Generated<string>
    expires_at: string
  }
  email_confirmations: {
    token_hash: Buffer
    user_id: number
    job_id: string | null
    email: string
    ended: Generated<'used' | 'replaced' | null>
    created_at: Generated<string>
    expires_at: string
  }
  waiting_mails: {
    id: Generated<number>
    user_id: number
    kind: string
    data: JSONColumnType<object>
    created_at: Generated<string>
  }
  blocks: { blocker_id: number; blocked_id: number; created_at: Generated<string> }
  messages: {
    id: Generated<number>
    low_id: number
    high_id: number
    sender_id: number
    receiver_id: number
    content: string
    client_id: string
    listing_id: number | null
    trade_id: number | null
    has_images: Generated<boolean>
    is_withdrawn: Generated<boolean>
    created_at: Generated<string>
  }
  threads: {
    member_id: number
    partner_id: number
    /** Null if the member may see no message of it. */
    last_message_id: number | null
    unread_count: Generated<number>
    last_read_id: Generated<number>
    shown_read_id: Generated<number>
    unread_since: string | null
    mailed_at: string | null
    push_due_at: string | null
    pushed_at: string | null
    has_withdrawn: Generated<boolean>
  }
  trades: {
    id: GeneratedAlways<number>
    kind: TradeKind
    state: Generated<TradeState>
    requester_id: number
    note: string | null
    created_at: Generated<string>
    updated_at: Generated<string>
    expires_at: string | null
    remind_at: string | null
    pickup_starts_at: string | null
    pickup_ends_at: string | null
    pickup_proposed_by: number | null
    pickup_accepted_by: Generated<number[]>
    pickup_remind_at: string | null
    end_reason: EndReason | null
  }
  trade_legs: {
    trade_id: number
    place: number
    listing_id: number
    giver_id: number
    taker_id: number
    title: string
    type_id: TypeId
    price: number
    drawing: Drawing
    is_requested: boolean
    quantity: number | null
    unit: string | null
    accepted: boolean
    handed_over: Generated<boolean>
    confirm_at: string | null
    pickup_place: string | null
    status: Generated<'open' | 'promised' | 'closed'>
  }
  trade_parties: { trade_id: number; member_id: number; is_open: Generated<boolean> }
  rings: {
    id: GeneratedAlways<number>
    listing_ids: number[]
    size: number
    miles: number
    created_at: Generated<string>
  }
  ring_legs: {
    ring_id: number
    place: number
    want_id: number
    listing_id: number
    giver_id: number
    taker_id: number
  }
  crop_weeks: {
    area: number
    week: string
    crop: string
    category_id: CategoryId | null
    wanted: number
    offered: number
  }
  thanks: {
    id: GeneratedAlways<number>
    trade_id: number
    author_id: number
    receiver_id: number
    text: string
    listing_title: string | null
    created_at: Generated<string>
    hidden_at: string | null
  }
  signing_keys: { name: string; key: Buffer }
  newest_backup: { is_newest: Generated<boolean>; taken_at: string }
  reports: {
    id: Generated<number>
    reporter_id: number | null
    listing_id: number | null
    user_id: number | null
    message_id: number | null
    thanks_id: number | null
    reason: string
    created_at: Generated<string>
    case_id: Generated<number | null>
    snapshot: JSONColumnType<Snapshot> | null
    noticed: NoticedThing | null
  }
  report_cases: {
    id: GeneratedAlways<number>
    subject_type: ReportCase['subject_type']
    subject_id: number
    member_id: number | null
    taken_by: number | null
    taken_at: string | null
    outcome: CaseOutcome | null
    closed_by: number | null
    closed_at: string | null
    created_at: Generated<string>
  }
  unheld_members: { user_id: number; listing_id: number }
  notices: {
    id: GeneratedAlways<number>
    user_id: number
    kind: NoticeKind
    title: string | null
    listings: JSONColumnType<NoticeListing[]> | null
    rule: SiteRule | null
    text: string | null
    ends_at: string | null
    created_at: Generated<string>
  }
  kept_photos: { name: string; report_id: number; widths: number[] }
  suspensions: {
    user_id: number
    rule: SiteRule
    reason: string
    ends_at: string | null
    appeal: string | null
    appealed_at: string | null
    appeal_answer: string | null
    created_at: Generated<string>
  }
  bans: {
    id: GeneratedAlways<number>
    kind: BanKind
    value: string
    reason: string
    actor_id: number
    ends_at: string | null
    lifted_at: string | null
    created_at: Generated<string>
  }
  registration_requests: {
    id: GeneratedAlways<number>
    first_name: string
    last_name: string
    username: string
    email: string
    password_hash: string
    language: Language | null
    invitation: string | null
    network: string
    created_at: Generated<string>
  }
  registration_networks: { user_id: number; network: string; created_at: Generated<string> }
  pauses: { user_id: number; ends_at: string; created_at: Generated<string> }
  desk_roles: { user_id: number; role: DeskRole; granted_at: Generated<string> }
  audit_log: {
    id: GeneratedAlways<number>
    actor_id: number | null
    action: AuditAction
    target_type: AuditTarget
    target_id: number
    reason: string | null
    undoes: number | null
    category_was: CategoryId | null
    suspension_was: JSONColumnType<PastSuspension> | null
    was_held: boolean | null
    created_at: Generated<string>
  }
  /** `settings` has those that were ever saved, as this or another release knows them. */
  site_versions: {
    version: number
    actor_id: number | null
    settings: JSONColumnType<object>
    restores: number | null
    created_at: Generated<string>
  }
  /** Days are in UTC. */
  daily_figures: { day: string; kind: FigureKind; count: number }
  recent_writes: { user_id: number; written_at: string }
  rate_limits: { key: string; points: number; expire: number | null }
}

/** A row of a table, as it is read. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>
