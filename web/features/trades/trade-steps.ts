import type { QueryClient } from '@tanstack/react-query'
import type { CallInput } from '#contract/endpoint.ts'
import {
  acceptTrade,
  changePickup,
  createTrade,
  declineTrade,
  denyHandOver as denyHandOverCall,
  getPickupCalendar,
  handOverTrade,
  hideThanks,
  type NewTrade,
  setPickupPlace,
  type Trade,
  thankForTrade,
  withdrawTrade,
} from '#contract/trades.ts'
import { call } from '#web/api/client.ts'
import { changeTrade, invalidateTrades } from './trade-queries.ts'

/** Requests a listing, or proposes a swap or a ring. */
export function proposeTrade(client: QueryClient, body: NewTrade): Promise<Trade> {
  return changeTrade(client, call(client, createTrade, { body }))
}

const answers = { accept: acceptTrade, decline: declineTrade, withdraw: withdrawTrade } as const
type Answer = keyof typeof answers

/** Accepts, declines or withdraws a trade. */
export function answerTrade(client: QueryClient, id: number, answer: Answer): Promise<Trade> {
  return changeTrade(client, call(client, answers[answer], { params: { id } }), id)
}

/** Marks a leg as handed over, or asks its giver to. */
export function handOver(client: QueryClient, id: number, listing_id: number): Promise<Trade> {
  return changeTrade(client, call(client, handOverTrade, { params: { id }, body: { listing_id } }), id)
}

/** Says that the taker does not have the member's listing yet. */
export function denyHandOver(client: QueryClient, id: number): Promise<Trade> {
  return changeTrade(client, call(client, denyHandOverCall, { params: { id } }), id)
}

/** Proposes a time for the pickup, or accepts the proposed one. */
export function arrangePickup(
  client: QueryClient,
  id: number,
  body: CallInput<typeof changePickup>['body'],
): Promise<Trade> {
  return changeTrade(client, call(client, changePickup, { params: { id }, body }), id)
}

/** Says where the member hands over what they give; an empty place deletes it. */
export function setPlace(client: QueryClient, id: number, place: string): Promise<Trade> {
  return changeTrade(client, call(client, setPickupPlace, { params: { id }, body: { place } }), id)
}

/** Fetches the pickup as an iCalendar file. */
export function fetchCalendar(client: QueryClient, id: number): Promise<Blob> {
  return call(client, getPickupCalendar, { params: { id } })
}

/** Stores the thank-you of the member for a trade. */
export async function sendThankYou(client: QueryClient, id: number, text: string) {
  await call(client, thankForTrade, { params: { id }, body: { text } })
  await invalidateTrades(client)
}

/** Hides a thank-you to the member from everyone. */
export async function hideThankYou(client: QueryClient, id: number) {
  await call(client, hideThanks, { params: { id } })
  await invalidateTrades(client)
}
