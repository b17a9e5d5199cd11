// `npm test` runs all checks and tests and prints the totals in the last line.
// `npm test -- --only=vitest,playwright` runs some of the steps, `npm test -- --only=vitest composer` the test files with this in their path.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { findBrowser } from './browser.mjs'
import { findProgram, installFromApt } from './programs.mjs'
import { buildWeb, environment, install, root, run, ScriptError } from './setup.mjs'

/**
 * @typedef {{ title: string, seconds: number }} TimedTest
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[], tests: TimedTest[] }} Counts
 */

/**
 * The parts of Playwright's report that this script reads.
 * @typedef {{ errors?: { message?: string }[], duration: number }} Result
 * @typedef {{ status: string, projectName: string, results: Result[] }} ReportedTest
 * @typedef {{ title: string, file: string, line: number, tests: ReportedTest[] }} Spec
 * @typedef {{ suites?: Suite[], specs?: Spec[] }} Suite
 */

const reports = join(root, '.cache')
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')
/** Written by test/global-setup.ts. */
const statements = join(reports, 'statements.json')

/** Tests start many processes with the same modules, so they share a compile cache. */
const testEnvironment = { ...environment, NODE_COMPILE_CACHE: join(reports, 'compiled') }

/** @type {Record<string, { title: string, check: () => Promise<boolean> }>} */
const checks = {
  biome: { title: 'Format and lint', check: () => succeeds('biome', 'check', '--error-on-warnings') },
  tsc: { title: 'Types', check: () => succeeds('tsc', '-b') },
  knip: { title: 'Unused code', check: () => succeeds('knip') },
  lockfile: {
    title: 'Origin and checksums of the packages',
    check: () =>
      succeeds(
        'lockfile-lint',
        ...['--path', 'package-lock.json', '--type', 'npm', '--allowed-hosts', 'npm'],
        ...['--validate-https', '--validate-integrity', '--validate-package-names'],
      ),
  },
  web: { title: 'Web client', check: () => buildWeb().then(() => true) },
  components: {
    title: 'Component gallery of the browser tests',
    check: () => succeeds('vite', 'build', '--config', 'vite.components.config.ts'),
  },
  size: { title: 'Size of the web client', check: () => succeeds('size-limit') },
}

/** @type {Record<string, { title: string, test: (files: readonly string[]) => Promise<Counts> }>} */
const suites = {
  vitest: { title: 'Unit and API tests', test: runVitest },
  features: { title: 'PostgreSQL features of the API tests', test: checkFeatures },
  playwright: { title: 'Browser tests', test: runPlaywright },
}

/** Checks that run side by side. In each row, one waits for the one before. */
const parallelChecks = [
  ['biome', 'lockfile', 'knip', 'tsc'],
  ['web', 'components', 'size'],
]

/** The result of a runner that ended without a report. */
const noReport = { passed: 0, failed: 1, skipped: 0, failures: [], tests: [] }

/** One of these is needed. */
const redisServers = ['redis-server', 'valkey-server']

const known = [...Object.keys(checks), ...Object.keys(suites)]

process.exitCode = await main()

async function main() {
  const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true })
  const only = values.only?.split(',') ?? known
  const unknown = only.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    console.error(`There is no step ${unknown.join(', ')}. The steps are ${known.join(', ')}.`)
    return 1
  }
  /** @type {Counts} */
  const totals = { passed: 0, failed: 0, skipped: 0, failures: [], tests: [] }
  try {
    await install()
    mkdirSync(reports, { recursive: true })
    const results = await Promise.allSettled(
      parallelChecks.map((lane) => runChecks(lane.filter((name) => only.includes(name)))),
    )
    for (const result of results) if (result.status === 'rejected') throw result.reason
    for (const [name, { title, test }] of Object.entries(suites)) {
      if (!only.includes(name)) continue
      const counts = await timed(title, () => test(positionals))
      totals.passed += counts.passed
      totals.failed += counts.failed
      totals.skipped += counts.skipped
      totals.failures.push(...counts.failures)
      totals.tests.push(...counts.tests)
    }
  } catch (error) {
    console.error(error instanceof ScriptError ? error.message : error)
    totals.failed += 1
  }
  for (const failure of totals.failures) console.log(`\n── Failed: ${failure}`)
  printSlowest(totals.tests)
  const ranNone = Object.keys(suites).some((name) => only.includes(name)) && totals.passed === 0
  const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
  console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`)
  return totals.failed > 0 || ranNone ? 1 : 0
}

/** @param {readonly string[]} names */
async function runChecks(names) {
  for (const name of names) {
    const { title, check } = checks[name] ?? {}
    if (title && check && !(await timed(title, check))) throw new ScriptError(`${title}: failed.`)
  }
}

/** @param {TimedTest[]} tests */
function printSlowest(tests) {
  if (tests.length === 0) return
  console.log('\n── The 20 slowest tests')
  const slowest = tests.sort((a, b) => b.seconds - a.seconds).slice(0, 20)
  for (const { title, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(6)} s  ${title}`)
}

/**
 * @template Result
 * @param {string} title
 * @param {() => Promise<Result>} step
 */
async function timed(title, step) {
  console.log(`\n── ${title}`)
  const start = performance.now()
  const result = await step()
  console.log(`── ${title}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return result
}

/**
 * @param {string} command
 * @param {...string} args
 */
async function succeeds(command, ...args) {
  return (await runOrStop(command, args)) === 0
}

/**
 * Runs a program. Throws if a signal ended it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
async function runOrStop(command, args, env) {
  const code = await run(command, args, env)
  if (code > 128) throw new ScriptError(`${command} was stopped by a signal.`)
  return code
}

/** Installs Redis or Valkey if both are missing. */
async function ensureRedis() {
  if (redisServers.some(findProgram)) return
  console.log('Installing Redis for the tests of several nodes.')
  await installFromApt(...redisServers)
  if (!redisServers.some(findProgram))
    throw new ScriptError(
      'The tests of several nodes need Redis or Valkey. Install redis-server or valkey-server.',
    )
}

/**
 * @param {readonly string[]} files parts of the paths of the files to run; all if there are none
 * @returns {Promise<Counts>}
 */
async function runVitest(files) {
  for (const file of [vitestReport, statements]) rmSync(file, { force: true })
  await ensureRedis()
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
  const env = { ...testEnvironment, CHROMIUM_PATH: await findBrowser() }
  const code = await runOrStop('vitest', ['run', ...reporters, ...files], env)
  const report = readReport(vitestReport)
  if (!report) return noReport
  const brokenFiles = report.testResults.filter(isBrokenFile).length
  return countExitCode(code, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(failuresOf),
    tests: report.testResults.flatMap(timesOf),
  })
}

/**
 * Compares the features that the statements of the API tests used with the list. The step `vitest` has to run before it.
 * @returns {Promise<Counts>}
 */
async function checkFeatures() {
  const passed = await succeeds('node', 'test/engine/check.ts')
  return { ...noReport, passed: passed ? 1 : 0, failed: passed ? 0 : 1 }
}

/** @param {{ name: string, status: string, message: string, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }} file */
function failuresOf({ name, status, message, assertionResults }) {
  if (isBrokenFile({ status, assertionResults })) return [formatFailure(name, [message])]
  return assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages }) => formatFailure(`${name}: ${fullName}`, failureMessages))
}

/** @param {{ name: string, assertionResults: { fullName: string, duration?: number | null }[] }} file */
function timesOf({ name, assertionResults }) {
  return assertionResults.map(({ fullName, duration }) => ({
    title: `${relative(root, name)}: ${fullName}`,
    seconds: (duration ?? 0) / 1000,
  }))
}

/**
 * Returns the name and the first lines of the messages.
 * @param {string} name
 * @param {readonly string[]} messages
 */
function formatFailure(name, messages) {
  const text = stripVTControlCharacters(messages.join('\n')).split('\n').slice(0, 25).join('\n')
  return `${name.replace(`${root}/`, '')}\n${text}`
}

/**
 * Returns whether a file failed before its first test.
 * @param {{ status: string, assertionResults: unknown[] }} file
 */
function isBrokenFile({ status, assertionResults }) {
  return status === 'failed' && assertionResults.length === 0
}

/**
 * @param {readonly string[]} files parts of the paths of the files to run; all if there are none
 * @returns {Promise<Counts>}
 */
async function runPlaywright(files) {
  rmSync(playwrightReport, { force: true })
  const env = {
    ...testEnvironment,
    CHROMIUM_PATH: await findBrowser(),
    PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
  }
  const code = await runOrStop('playwright', ['test', '--reporter=line,json', ...files], env)
  const report = readReport(playwrightReport)
  if (!report) return noReport
  const { stats, suites } = report
  return countExitCode(code, {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    failures: specsIn({ suites }).flatMap(failuresOfSpec),
    tests: specsIn({ suites }).flatMap(timesOfSpec),
  })
}

/**
 * @param {Suite} suite
 * @returns {Spec[]}
 */
function specsIn({ suites = [], specs = [] }) {
  return [...specs, ...suites.flatMap(specsIn)]
}

/** @param {Spec} spec */
function timesOfSpec({ title, file, line, tests }) {
  return tests.map(({ projectName, results }) => ({
    title: `[${projectName}] ${file}:${line} ${title}`,
    seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
  }))
}

/** @param {Spec} spec */
function failuresOfSpec({ title, file, line, tests }) {
  return tests
    .filter(({ status }) => status === 'unexpected' || status === 'flaky')
    .map(({ status, projectName, results }) => {
      const errors = results.flatMap((result) => result.errors ?? [])
      return formatFailure(
        `[${projectName}] ${file}:${line} ${title}${status === 'flaky' ? ' (passed at the second try)' : ''}`,
        errors.map(({ message = '' }) => message),
      )
    })
}

/** @param {string} path */
function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/**
 * Counts a failure if the runner failed although no test did, for example by an error between tests.
 * @param {number} code
 * @param {Counts} counts
 * @returns {Counts}
 */
function countExitCode(code, counts) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}
