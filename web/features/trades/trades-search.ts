/** The query string of the list of trades. Empty shows those that are open. */
export interface TradesSearch {
  state?: 'closed'
}

export function tradesSearch({ state }: Record<string, unknown>): TradesSearch {
  return state === 'closed' ? { state } : {}
}
