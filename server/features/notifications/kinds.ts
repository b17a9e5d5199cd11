import type { z } from 'zod/mini'
import type { Language } from '#contract/languages.ts'
import type { Notification, NotificationSubjects } from '#contract/notifications.ts'
import type { PushMessage } from '#contract/push.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'
import type { MailContent } from '#server/platform/render-mail.ts'
import type { Db, Row, Tables, Tx } from '#server/tables.ts'

export type Channel = Tables['deliveries']['channel']

/** The member who reads a mail or a push. */
export interface Reader extends Pick<Row<'users'>, 'id' | 'first_name'> {
  /** Translates to the language of the reader, with dates in their time zone. */
  readonly t: Translator
  readonly timeZone: string
}

/** The text of a notification for a mail and a push. `path` is below the public URL. */
export interface Text {
  readonly title: string
  readonly body: string
  readonly label: string
  readonly path: string
}

/** A mail without its receiver and the links that turn it off. `links` are named before those. */
export type MailBody = Omit<MailContent, 'to' | 't' | 'optional'> & {
  readonly because: string
  readonly links?: NonNullable<MailContent['optional']>['links']
}

/** The news that a channel has not told a member yet. */
export interface Unsent {
  /** Undefined if everything was read or is outdated. */
  readonly content:
    | {
        mail(): MailBody | Promise<MailBody>
        push(): Pick<PushMessage, 'title' | 'body' | 'path'>
        /** True if its push is also sent during the quiet hours. */
        readonly isUrgent?: boolean
      }
    | undefined
  markSent(db: Db): Promise<void>
}

/** The key of a delivery: a channel tells a member about a subject of a topic, which is 0 if the topic coalesces everything. */
export interface DeliveryKey {
  readonly user_id: number
  readonly channel: Channel
  readonly topic: string
  readonly subject_id: number
}

/** Due deliveries outside the hub's table. */
export interface DueSource {
  readonly batchSize: number
  /** Returns deliveries that are due and marks them as taken. Skips locked rows. */
  take(tx: Tx, limit: number): Promise<DeliveryKey[]>
}

/** Declares how a feature tells members of its events: all that is new about a subject in one mail and one push. */
export interface Delivery {
  /** If it is a type of subject, each subject has its own deliveries. */
  readonly topic: string
  readonly category: PushMessage['category']
  readonly preference: 'mail_matches' | 'mail_unread' | 'mail_listings' | 'mail_trades'
  readonly mail?: {
    /** `daily` sends every mail in the morning. By default the preference decides. */
    readonly when?: 'daily'
    /** The mail waits these minutes, and is not sent if everything is read meanwhile. */
    readonly delayMinutes?: number
    /** A text that `msg` marks. */
    readonly because?: string
    /** Returns the mail about notifications, by default with the texts of their kinds. */
    of?(db: Db, notifications: readonly Notification[], reader: Reader): Promise<Omit<MailBody, 'because'>>
  }
  /** The order of notifications in a mail and a push. By default the newest is first. */
  readonly order?: (one: Notification, other: Notification) => number
  /** The page that a push about several notifications opens. */
  readonly path?: string
  /** The push waits these seconds, and is not sent if everything is read meanwhile. */
  readonly pushDelaySeconds?: number
  /** Returns what a channel has not told the member. By default it is the unread notifications since the last mail or push. */
  unsent?(db: Db, key: DeliveryKey, reader: Reader): Promise<Unsent>
  readonly sources?: readonly DueSource[]
  /** Moves a pending delivery of the sources. */
  postpone?(db: Db, key: DeliveryKey, moment: string): Promise<void>
}

type About = readonly [type: NotificationSubjects['type'] | 'matches' | 'notice', id: number]

interface KindBase {
  /**
   * SQL that selects the fields of notification `n` in the API as JSON, or null if the notification is outdated or its reader `n.user_id`
   * may not see its subject. `n.about_id` and `n.data` name the subject.
   */
  readonly facts: string
  /** Renders facts that are stored as data in the reader's language. By default all are shown as they are. */
  readonly render?: (facts: Partial<Notification>, language: Language | null) => Partial<Notification>
  /** The kinds that it replaces besides its own, if they are about the same. */
  readonly replaces?: readonly string[]
  /** An unread notification, or one that was read within these hours, is not repeated. By default it is replaced. */
  readonly repeatHours?: number
  /** By default members see the notification in the app only. */
  readonly delivery?: Delivery
  /** Returns the text for mails and pushes. */
  text?(notification: Notification, reader: Reader): Text
  /** Returns whether it is too late for a mail or a push, although the notification is still shown in the app. */
  isLate?(notification: Notification): boolean
  /** True if its push is also sent during the quiet hours. */
  readonly isUrgent?: boolean
}

interface KindOptions<Data> extends KindBase {
  /** Ids, names and amounts, never a sentence. */
  readonly data: z.ZodMiniType<Data>
  /** Returns what a notification is about. Looking at it reads the notification. */
  about(data: Data, fromId: number): About
  /** Called when a member has read notifications. */
  onRead?(tx: Tx, userId: number, data: readonly Data[]): Promise<void>
}

/** A declared kind of notification. */
export interface AnyKind<Name extends string = string> extends KindBase {
  readonly name: Name
  parse(data: object, fromId: number): { readonly about: About; readonly data: object }
  read(tx: Tx, userId: number, data: readonly object[]): Promise<void>
}

/** A kind with the type of its data, which has no value at run time. */
export interface NotificationKind<Data extends object, Name extends string = string> extends AnyKind<Name> {
  readonly data?: Data
}

/** Declares a kind of notification. */
export function notificationKind<const Name extends string, Data extends object>(
  name: Name,
  { data: schema, about, onRead, ...base }: KindOptions<Data>,
): NotificationKind<Data, Name> {
  return {
    ...base,
    name,
    parse(data, fromId) {
      const parsed = schema.parse(data)
      return { about: about(parsed, fromId), data: parsed }
    },
    async read(tx, userId, data) {
      await onRead?.(
        tx,
        userId,
        data.map((one) => schema.parse(one)),
      )
    },
  }
}

/** Everything that features declare. */
export interface Declarations {
  readonly kinds: ReadonlyMap<string, AnyKind>
  readonly deliveries: ReadonlyMap<string, Delivery>
}

/** Collects the declarations of features. `deliveries` are those without kinds. */
export function declarationsOf(kinds: readonly AnyKind[], deliveries: readonly Delivery[]): Declarations {
  const all = [...kinds.flatMap(({ delivery }) => delivery ?? []), ...deliveries]
  return {
    kinds: new Map(kinds.map((kind) => [kind.name, kind])),
    deliveries: new Map(all.map((delivery) => [delivery.topic, delivery])),
  }
}
