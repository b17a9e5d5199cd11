import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { line } from './fields.ts'
import { msg } from './message.ts'

const notAPushService = msg('This is not the address of a push service')

export const pushErrorMessages = {
  unknownService: msg(
    'Notifications do not work with the push service of this browser. They work in Chrome, Edge, Firefox and Safari.',
  ),
} as const

/** The endpoint of a push service. The server accepts those of known push services. */
const pushEndpoint = z
  .string(notAPushService)
  .check(z.maxLength(1000, notAPushService), z.regex(/^https:\/\/[!-~]+$/, notAPushService))

/** The JSON of a `PushSubscription`. The keys are a P-256 point and a secret in base64url. */
export const pushSubscription = z.object({
  endpoint: pushEndpoint,
  keys: z.object({
    p256dh: z.string().check(z.regex(/^B[\w-]{86}=?$/, notAPushService)),
    auth: z.string().check(z.regex(/^[\w-]{22}(?:==)?$/, notAPushService)),
  }),
})

/**
 * The JSON payload of a push. A click opens `path`; a newer push with the same `tag` replaces this one. It is not shown while a
 * visible page shows `path`.
 */
export const pushMessage = z.object({
  category: z.enum(['match', 'message', 'trade', 'listing', 'login']),
  title: z.string(),
  body: z.string(),
  path: z.string(),
  tag: z.string(),
})
export type PushMessage = z.output<typeof pushMessage>

export const getPushKey = endpoint({
  method: 'GET',
  path: '/push/key',
  summary: 'Get the applicationServerKey (VAPID) for push subscriptions, as base64url',
  auth: 'member',
  response: { 200: z.object({ key: z.string() }) },
})

export const subscribeToPush = endpoint({
  method: 'POST',
  path: '/push/subscriptions',
  summary: 'Subscribe this browser to push messages; idempotent',
  auth: 'member',
  body: pushSubscription,
  response: { 204: 'nothing' },
})

export const unsubscribeFromPush = endpoint({
  method: 'DELETE',
  path: '/push/subscriptions',
  summary: 'Unsubscribe this browser from push messages',
  auth: 'member',
  body: z.object({ endpoint: line(1000, notAPushService, notAPushService) }),
  response: { 204: 'nothing' },
})
