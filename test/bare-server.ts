// biome-ignore lint/style/noProcessEnv: set by scripts/test.mjs
const { NODE_COMPILE_CACHE } = process.env

/** Lets processes that tests start share Node's compile cache, which halves their start. */
export const compileCache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }

/** Settings of a server process for tests and benchmarks: any free port, no demo data and no rate limits. */
export const bareSettings = {
  DEMO_DATA: 'off',
  HOST: '127.0.0.1',
  PORT: '0',
  METRICS_PORT: 'off',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  ...compileCache,
}

/** Returns the URL of the server if this line of its output contains it. */
export function readyUrl(line: string): string | undefined {
  const port = /ready at http:\/\/[^:]+:(\d+)/.exec(line)?.[1]
  return port && `http://127.0.0.1:${port}`
}
