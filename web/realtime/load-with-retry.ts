import { reconnectMs } from '#contract/constants.ts'

/** Loads a module in the background and passes it to `use`. Tries again while the network is away. Returns a function that stops it. */
export function loadWithRetry<Module>(
  load: () => Promise<Module>,
  use: (module: Module) => void,
): () => void {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const attempt = () => {
    load().then(
      (module) => stopped || use(module),
      () => {
        if (!stopped) timer = setTimeout(attempt, reconnectMs.longest)
      },
    )
  }
  attempt()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
