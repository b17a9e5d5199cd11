import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment } from '#server/platform/child-environment.ts'

/** A request of a member for a scanner to try. */
export interface Target {
  readonly method: string
  /** A `*` follows each part of the path that the scanner tries. */
  readonly url: string
  readonly body?: string
  readonly token: string
}

export interface Finding {
  readonly scanner: 'ffuf' | 'sqlmap' | 'wapiti'
  readonly where: string
  readonly what: string
}

/** A scanner that takes longer fails the scan: an aborted run is no clean result. */
const timeoutMs = 15 * 60_000

/**
 * Requests files that should not exist. Every response except a 404 and the app's page is a finding, a refusal too: there should
 * be nothing to refuse.
 */
export async function ffuf(url: string, folder: string): Promise<Finding[]> {
  const report = join(folder, 'ffuf.json')
  const list = join(import.meta.dirname, 'paths.txt')
  await run(
    'ffuf',
    [
      ...['-w', list, '-u', `${url}/FUZZ`, '-mc', 'all', '-fc', '404'],
      ...['-fr', '<div id="root">', '-s', '-of', 'json', '-o', report],
    ],
    folder,
  )
  const { results } = JSON.parse(await readFile(report, 'utf8'))
  return results.map(({ url: where, status }: { url: string; status: number }) => ({
    scanner: 'ffuf',
    where,
    what: `answers ${status}`,
  }))
}

/** Tries SQL injection in each parameter, JSON field and marked part of the path. */
export async function sqlmap(targets: readonly Target[], folder: string): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { method, url, body, token } of targets) {
    const output = await run(
      'sqlmap',
      [
        ...[
          '-u',
          url,
          '--method',
          method,
          '--batch',
          '--disable-coloring',
          '--flush-session',
          '--answers=quit=N',
        ],
        ...['--level=2', '--risk=1', '--technique=BEUS', '--threads=2', '--timeout=10', '--retries=1'],
        ...['--skip=user-agent,referer,host,cookie', '--output-dir', join(folder, 'sqlmap')],
        ...['--ignore-code=*', '--header', `Authorization: Bearer ${token}`],
        ...(body === undefined ? [] : ['--data', body, '--header', 'Content-Type: application/json']),
      ],
      folder,
    )
    if (
      !/all tested parameters do not appear to be injectable|identified the following injection/.test(output)
    )
      throw new Error(`sqlmap could not try ${method} ${url}:\n${output.slice(-2000)}`)
    if (/identified the following injection/.test(output))
      found.push({ scanner: 'sqlmap', where: `${method} ${url}`, what: 'SQL injection' })
  }
  return found
}

/** Without `backup`, which takes the app's page for a file. ffuf looks for those. */
const wapitiModules = [
  ...['blindsql', 'cookieflags', 'crlf', 'csp', 'exec', 'file', 'htaccess', 'http_headers'],
  ...['methods', 'permanentxss', 'redirect', 'sql', 'xss'],
]

interface WapitiReport {
  readonly vulnerabilities: Record<string, { method: string; path: string; info: string }[]>
}

/** Browsers have removed this header's filter, which was harmful itself. */
const outdated = /^X-XSS-Protection is not set/

/** Crawls from these pages and attacks their inputs with scripts, commands, files, headers and redirects. */
export async function wapiti(
  url: string,
  starts: readonly string[],
  token: string,
  folder: string,
): Promise<Finding[]> {
  const report = join(folder, 'wapiti.json')
  const output = await run(
    'wapiti',
    [
      ...['-u', `${url}/`, '--scope', 'domain', '--flush-session', '--store-session', join(folder, 'wapiti')],
      ...['--store-config', join(folder, 'wapiti-config'), '--no-bugreport', '-m', wapitiModules.join(',')],
      ...['-H', `Authorization: Bearer ${token}`, '-f', 'json', '-o', report, '-v', '1', '-t', '10'],
      ...['--max-scan-time', '120', '--max-attack-time', '60'],
      ...starts.flatMap((start) => ['-s', start]),
    ],
    folder,
  )
  const written = await readFile(report, 'utf8').catch(() => undefined)
  if (written === undefined) throw new Error(`wapiti wrote no report:\n${output.slice(-2000)}`)
  const { vulnerabilities } = JSON.parse(written) as WapitiReport
  return Object.entries(vulnerabilities).flatMap(([kind, list]) =>
    list
      .filter(({ info }) => !outdated.test(info))
      .map(({ method, path, info }) => ({
        scanner: 'wapiti' as const,
        where: `${method} ${path}`,
        what: `${kind}: ${info}`,
      })),
  )
}

/** Returns a scanner's output, whatever its exit code. Throws if it did not start or took too long. */
function run(program: string, args: readonly string[], home: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { env: { ...childEnvironment, HOME: home }, timeout: timeoutMs, maxBuffer: 256 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error?.killed || (error && typeof error.code === 'string')) reject(error)
        else resolve(stdout + stderr)
      },
    )
  })
}
