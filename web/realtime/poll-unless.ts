/** Returns a `refetchInterval` that polls unless the socket is connected and the last fetch succeeded. */
export function pollUnless(connected: boolean, ms: number) {
  return ({ state }: { readonly state: { readonly status: string } }) =>
    connected && state.status !== 'error' ? (false as const) : ms
}
