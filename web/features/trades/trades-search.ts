/** The query string of the list of trades. Empty shows the open ones. */
export interface TradesSearch {
  state?: 'closed' | undefined
}

/** Reads the query string of the list of trades. Leaves out unknown values. */
export function parseTradesSearch({ state }: Record<string, unknown>): TradesSearch {
  return { state: state === 'closed' ? state : undefined }
}
