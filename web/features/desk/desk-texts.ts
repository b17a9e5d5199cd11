import { msg } from '@lingui/core/macro'
import type { BanKind } from '#contract/bans.ts'
import type { AuditAction } from '#contract/desk.ts'
import type { ListingAction } from '#contract/desk-listings.ts'
import type { MemberAction } from '#contract/desk-members.ts'
import type { DeskRole } from '#contract/desk-roles.ts'
import type { SiteFinding } from '#contract/health.ts'
import type { queuedStates } from '#contract/mail-queue.ts'
import type { CaseOutcome, NoticedThing, ReportCase, SiteRule } from '#contract/report-cases.ts'
import type { SitePageName } from '#contract/site-pages.ts'
import type { PageSetting, RegistrationMode, SiteSetting } from '#contract/site-settings.ts'

export const outcomeTexts = {
  dismiss: msg`Dismiss the report`,
  hide: msg`Hide the listing`,
  remove: msg`Remove the listing`,
  warn: msg`Warn the member`,
  suspend: msg`Suspend the member`,
} satisfies Record<CaseOutcome, unknown>

export const listingActionTexts = {
  hide: msg`Hide the listing`,
  show: msg`Show the listing again`,
  categorize: msg`Correct the category`,
} satisfies Record<ListingAction, unknown>

export const ruleTexts = {
  spam: msg`Advertising`,
  fraud: msg`Fraud`,
  forbidden: msg`Not for a garden`,
  abusive: msg`Insults or threats`,
  private: msg`Private data`,
  other: msg`Other terms of use`,
} satisfies Record<SiteRule, unknown>

export const memberActionTexts = {
  note: msg`Write a note`,
  warn: msg`Warn the member`,
  suspend: msg`Suspend the member`,
  restore: msg`End the suspension`,
  keep_suspension: msg`Keep the suspension`,
  pause: msg`Pause the member`,
  unpause: msg`End the pause`,
  withdraw: msg`Withdraw their messages`,
  end_sessions: msg`End their sessions`,
  send_password_reset: msg`Send a password reset`,
  send_confirmation: msg`Send a confirmation of the e-mail`,
} satisfies Record<MemberAction, unknown>

/** The labels of the buttons of a row. */
export const quickActionTexts = {
  pause: msg`pause`,
  suspend: msg`suspend`,
  withdraw: msg`withdraw the messages`,
} satisfies Partial<Record<MemberAction, unknown>>
export type QuickAction = keyof typeof quickActionTexts

export const banKindTexts = {
  network: msg`Address`,
  domain: msg`Mail domain`,
} satisfies Record<BanKind, unknown>

export const roleTexts = {
  moderator: msg`Moderator`,
  operator: msg`Operator`,
} satisfies Record<DeskRole, unknown>

export const subjectTexts = {
  listing: msg`Listing`,
  member: msg`Member`,
  message: msg`Message`,
  thanks: msg`Thank-you`,
} satisfies Record<ReportCase['subject_type'], unknown>

export const stateTexts = {
  ok: msg`all is well`,
  warning: msg`warning`,
  error: msg`error`,
} satisfies Record<SiteFinding['state'], unknown>

export const checkTexts = {
  database: msg`Database`,
  migrations: msg`Migrations`,
  site: msg`Site`,
  certificate: msg`Certificate`,
  mail: msg`Mail server`,
  spf: msg`SPF`,
  dkim: msg`DKIM`,
  dmarc: msg`DMARC`,
  photo_disk: msg`Disk of the photos`,
  database_disk: msg`Disk of the database`,
  backup: msg`Backup`,
  push_keys: msg`Keys of pushes`,
  security_contact: msg`Security contact`,
  redis: msg`Redis`,
  replica: msg`Replica`,
  jobs: msg`Jobs`,
} satisfies Record<SiteFinding['key'], unknown>

export const queueTexts = {
  waiting: msg`waiting`,
  retrying: msg`to be tried again`,
  running: msg`running`,
  failed: msg`failed for good`,
} satisfies Record<(typeof queuedStates)[number], unknown>

/** What stands for the reporter of what the site has noticed. */
export const noticedTexts = {
  equal_texts: msg`The site has refused this text, sent to many strangers`,
} satisfies Record<NoticedThing, unknown>

export const settingTexts = {
  name: msg`Name of the site`,
  sentence: msg`Sentence of the site`,
  logo: msg`Logo`,
  banner_text: msg`Text of the banner`,
  banner_link: msg`Link of the banner`,
  banner_last_day: msg`Last day of the banner`,
  support_email: msg`Support address`,
  social_links: msg`Links to social networks`,
  registration: msg`Who can register`,
  first_contacts_unconfirmed: msg`Strangers a day that an unconfirmed member can write to first`,
  first_contacts_first_week: msg`Strangers a day in a member’s first week`,
  first_contacts_later: msg`Strangers a day after that`,
  equal_texts: msg`Strangers a day that get the same text`,
  registrations_per_hour: msg`Registrations an hour from one network`,
  hold_first_listings: msg`Hold the first listings of new members`,
} satisfies Record<Exclude<SiteSetting, PageSetting>, unknown>

export const registrationTexts = {
  open: msg`Everybody`,
  invitation: msg`Who has the link of a member`,
  approval: msg`Whom a moderator lets in`,
} satisfies Record<RegistrationMode, unknown>

export const pageTexts = {
  terms: msg`Terms of use`,
  privacy: msg`Privacy`,
  safety: msg`Safety`,
} satisfies Record<SitePageName, unknown>

export const actionTexts = {
  role_granted: msg`Role given`,
  role_revoked: msg`Role taken`,
  report_taken: msg`Report taken`,
  report_released: msg`Report released`,
  report_dismissed: msg`Report dismissed`,
  report_resolved: msg`Report closed`,
  reporters_answered: msg`Reporters answered`,
  listing_hidden: msg`Listing hidden`,
  listing_shown: msg`Listing shown`,
  listing_removed: msg`Listing removed`,
  listing_categorized: msg`Category corrected`,
  member_warned: msg`Member warned`,
  member_suspended: msg`Member suspended`,
  member_restored: msg`Suspension ended`,
  suspension_kept: msg`Suspension kept`,
  member_paused: msg`Member paused`,
  member_unpaused: msg`Pause ended`,
  ban_added: msg`Banned`,
  ban_lifted: msg`Ban lifted`,
  jobs_retried: msg`Failed jobs tried again`,
  jobs_dropped: msg`Failed jobs dropped`,
  test_mail_sent: msg`Test mail sent`,
  member_noted: msg`Note written`,
  member_deleted: msg`Member deleted`,
  messages_withdrawn: msg`Messages withdrawn`,
  messages_restored: msg`Messages shown again`,
  sessions_ended: msg`Sessions ended`,
  password_reset_sent: msg`Password reset sent`,
  confirmation_sent: msg`Confirmation sent`,
  registration_approved: msg`Registration approved`,
  registration_refused: msg`Registration refused`,
  site_saved: msg`Settings saved`,
  site_restored: msg`Earlier settings restored`,
  swap_day_opened: msg`Swap day opened`,
} satisfies Record<AuditAction, unknown>

/** The entries of the audit log about actions on a member. */
export const loggedMemberActions = {
  note: 'member_noted',
  warn: 'member_warned',
  suspend: 'member_suspended',
  restore: 'member_restored',
  keep_suspension: 'suspension_kept',
  pause: 'member_paused',
  unpause: 'member_unpaused',
  withdraw: 'messages_withdrawn',
  end_sessions: 'sessions_ended',
  send_password_reset: 'password_reset_sent',
  send_confirmation: 'confirmation_sent',
} satisfies Record<MemberAction, AuditAction>
