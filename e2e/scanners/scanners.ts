import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment } from '#server/platform/child-environment.ts'

/** A request that a member may make, as a scanner is told of it. */
export interface Target {
  readonly method: string
  /** `*` marks a part of the path that is to be tried. */
  readonly url: string
  readonly body?: string
  readonly token: string
}

export interface Finding {
  readonly scanner: 'ffuf' | 'sqlmap' | 'wapiti'
  readonly where: string
  readonly what: string
}

/** A scanner that hangs has found nothing out: that is a failure, not a clean result. */
const longestRunMs = 15 * 60_000

/**
 * Looks for files and pages that nobody should find. Whatever is neither 404 nor the app's own page, which says that there is no
 * such place, counts; also a refusal, as there should be nothing to refuse.
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

/** Tries to slip SQL into each parameter, JSON fields and marked parts of the path included. */
export async function sqlmap(targets: readonly Target[], folder: string): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { method, url, body, token } of targets) {
    const said = await run(
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
    if (!/all tested parameters do not appear to be injectable|identified the following injection/.test(said))
      throw new Error(`sqlmap could not try ${method} ${url}:\n${said.slice(-2000)}`)
    if (/identified the following injection/.test(said))
      found.push({ scanner: 'sqlmap', where: `${method} ${url}`, what: 'SQL injection' })
  }
  return found
}

/** Not `backup`, which takes the app's own page for a file; ffuf looks for those. */
const wapitiModules = [
  ...['blindsql', 'cookieflags', 'crlf', 'csp', 'exec', 'file', 'htaccess', 'http_headers'],
  ...['methods', 'permanentxss', 'redirect', 'sql', 'xss'],
]

interface WapitiReport {
  readonly vulnerabilities: Record<string, { method: string; path: string; info: string }[]>
}

/** A header that browsers have given up, and that did harm where they had not. */
const outdated = /^X-XSS-Protection is not set/

/** Crawls from these pages and attacks what it finds: scripts, commands, files, headers, redirects. */
export async function wapiti(
  url: string,
  starts: readonly string[],
  token: string,
  folder: string,
): Promise<Finding[]> {
  const report = join(folder, 'wapiti.json')
  const said = await run(
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
  if (written === undefined) throw new Error(`wapiti wrote no report:\n${said.slice(-2000)}`)
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

/** Returns a scanner's output. Scanners exit with various codes; one that did not start throws. */
function run(program: string, args: readonly string[], home: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { env: { ...childEnvironment, HOME: home }, timeout: longestRunMs, maxBuffer: 256 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error?.killed || (error && typeof error.code === 'string')) reject(error)
        else resolve(stdout + stderr)
      },
    )
  })
}
