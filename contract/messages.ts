import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { endpoint } from './endpoint.ts'
import {
  clientId,
  hasFields,
  id,
  longPageFields,
  moment,
  pageFields,
  paragraphs,
  queryNumber,
  searchWords,
} from './fields.ts'
import { imageIds, photo } from './images.ts'
import { memberMessages, publicMember } from './members.ts'
import { msg } from './message.ts'

export const messageErrorMessages = {
  empty: msg('Please write something'),
  tooLong: msg('A message can have at most {max, number} characters', { max: limits.message }),
  self: msg('You can not write to yourself'),
  notFound: msg('Message not found'),
  notPossible: msg('You can not write to this member'),
  clientIdReused: msg('This client_id belongs to another message'),
  tooMany: msg('You are writing very fast. Please wait a moment.'),
  tooManyFirstContacts: msg(
    'You have written to as many new neighbors as you can in one day. Please try again tomorrow.',
  ),
  equalTexts: msg('You have sent this text to many members today. Please write to each in your own words.'),
  confirmToContact: msg('Please confirm your e-mail address to write to more new neighbors today.'),
  tooManyPhotos: msg('A message can have at most {max} photos', { max: limits.photos.message }),
  listingNotVisible: msg('You can only mention a listing that you both can see'),
} as const

/**
 * `client_id` is a UUID of the sender's client or, without one, of the server. Sending it again returns the stored message. Within a
 * conversation, messages become visible in the order of their ids, so `after` skips none.
 */
export const message = z.object({
  id: z.int(),
  sender_id: z.int(),
  receiver_id: z.int(),
  content: z.string(),
  created_at: moment,
  is_read: z.boolean(),
  client_id: z.string(),
  /** The listing that the message is about; null if there is none, or the caller may not see it any more. */
  listing: z.nullable(z.object({ id: z.int(), title: z.string(), featured_image: z.nullable(z.string()) })),
  /** The trade that the message began. */
  trade_id: z.nullable(z.int()),
  /** Photos are served to the two members only, with a session. A message with photos may have no text. */
  images: z.array(photo).check(z.maxLength(limits.photos.message)),
})
export type Message = z.output<typeof message>

export const newMessage = z
  .object({
    receiver_id: id,
    content: paragraphs(limits.message, messageErrorMessages.tooLong),
    client_id: clientId,
    listing_id: z.optional(id),
    /** The ids of photos that the sender has uploaded, in their order. */
    image_ids: z.optional(imageIds(limits.photos.message, messageErrorMessages.tooManyPhotos)),
  })
  .check(
    z.refine(({ content, image_ids }) => content !== '' || (image_ids?.length ?? 0) > 0, {
      path: ['content'],
      message: messageErrorMessages.empty,
      // Also with errors in other fields, so `image_ids` can be any value here.
      when: ({ value }) => hasFields(value) && typeof value.content === 'string',
    }),
  )
export type NewMessage = z.output<typeof newMessage>

/** A conversation. `user` is null for a deleted member. */
export const thread = z.object({
  user_id: z.int(),
  user: z.nullable(publicMember),
  last_message: message,
  unread_count: z.int(),
})
export type Thread = z.output<typeof thread>

const params = z.object({ id })
/** A message id, or zero for the start of the conversation. */
const idOrZero = z.union([id, z.pipe(z.literal([0, '0']), z.transform(Number))])

export const sendMessage = endpoint({
  method: 'POST',
  path: '/messages',
  summary:
    'Send a message; a repeated one gets 200 with the stored message, another with the same client_id 409',
  auth: 'member',
  body: newMessage,
  notFound: memberMessages.notFound,
  response: { 201: message, 200: message },
})

export const listThreadMembers = endpoint({
  method: 'GET',
  path: '/messages',
  summary: "List the ids of the caller's conversation partners, latest thread first",
  auth: 'member',
  query: z.object(longPageFields),
  response: { 200: z.array(z.int()) },
})

export const listThreads = endpoint({
  method: 'GET',
  path: '/messages/threads',
  summary: "List the caller's threads, latest first; q searches usernames and previews",
  auth: 'member',
  query: z.object({
    q: z.optional(searchWords(0)),
    ...pageFields,
  }),
  response: { 200: z.array(thread) },
})

export const countUnreadMessages = endpoint({
  method: 'GET',
  path: '/messages/unread-count',
  summary: 'Count the unread messages',
  auth: 'member',
  response: { 200: z.int() },
})

/** The members whose messages the desk has withdrawn from the caller. A client that keeps messages of them deletes those. */
export const listWithdrawnSenders = endpoint({
  method: 'GET',
  path: '/messages/withdrawn',
  summary: 'List the members whose messages to the caller are withdrawn',
  auth: 'member',
  response: { 200: z.array(z.int()) },
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/messages/{id}',
  summary:
    'List the messages with a member, oldest to newest: the latest, or those before or after a message',
  auth: 'member',
  params,
  notFound: memberMessages.notFound,
  query: z
    .object({
      limit: z._default(
        queryNumber(z.number().check(z.int(), z.minimum(1), z.maximum(limits.page.max))),
        limits.messages,
      ),
      before: z.optional(id),
      after: z.optional(idOrZero),
    })
    .check(
      z.refine(({ before, after }) => before === undefined || after === undefined, {
        path: ['after'],
        message: msg('Please ask for what is before a message or after one'),
      }),
    ),
  response: { 200: z.array(message) },
})

export const markThreadRead = endpoint({
  method: 'POST',
  path: '/messages/{id}/mark-thread-read',
  summary: 'Mark the messages of a member as read',
  auth: 'member',
  params,
  notFound: memberMessages.notFound,
  response: { 200: z.object({ updated: z.int() }) },
})
