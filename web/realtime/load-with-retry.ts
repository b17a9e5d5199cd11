import { reconnectMs } from '#contract/constants.ts'

/**
 * Brings code that no screen waits for. While it can not come, because the network is away, it is asked for again now and
 * then; what has come is passed on unless `stop` was called.
 */
export function loadWithRetry<Code>(bring: () => Promise<Code>, use: (code: Code) => void): () => void {
  let stopped = false
  let again: ReturnType<typeof setTimeout> | undefined
  const ask = () => {
    bring().then(
      (code) => stopped || use(code),
      () => {
        if (!stopped) again = setTimeout(ask, reconnectMs.longest)
      },
    )
  }
  ask()
  return () => {
    stopped = true
    clearTimeout(again)
  }
}
