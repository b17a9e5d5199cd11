// SQL of the legs of trades for the responses of features that `trades` imports. `listings.ts` has whether a leg shows its listing.

/** Counts the listings that a member has given or received. */
export function countHandedOver(side: 'giver_id' | 'taker_id', member: string): string {
  return `(select count(*) from trade_legs where ${side} = ${member} and handed_over)`
}

/** Selects the listings of some ids that members wait for, each with the number of requests. */
export function requestsFor(ids: string): string {
  return `select listing_id, count(*) as requests from trade_legs
    where listing_id = any (${ids}) and is_requested and status = 'open' group by listing_id`
}
