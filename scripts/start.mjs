// `npm start` installs and builds what is missing and runs the server.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import {
  buildWeb,
  environment,
  exitCode,
  findNode,
  install,
  root,
  ScriptError,
  terminationSignals,
} from './setup.mjs'

/** The server is killed if stopping takes longer, in milliseconds: its own timeout plus DRAIN_SECONDS. */
const killDelayMs = 4800 + 1000 * (Number(environment.DRAIN_SECONDS) || 0)

try {
  await install()
  await buildWeb()
  serve(await findNode())
} catch (error) {
  if (!(error instanceof ScriptError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** @param {string} node */
function serve(node) {
  // A terminal sends Ctrl-C to all of its programs, and npm sends it to this script again. The server has its own session and
  // gets the signal once, from here. If this script is killed, the IPC channel closes and the server stops.
  const server = spawn(node, ['server/main.ts'], {
    cwd: root,
    // glibc keeps one arena per thread. Two arenas halve the memory of image processing.
    env: { MALLOC_ARENA_MAX: '2', ...environment },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let stopping = false
  function stop() {
    if (stopping) return
    stopping = true
    server.kill('SIGTERM')
    setTimeout(() => server.kill('SIGKILL'), killDelayMs).unref()
  }
  for (const signal of terminationSignals) process.on(signal, stop)

  const npm = parents()
  if (environment.npm_lifecycle_event !== undefined) {
    // A killed npm sends no signal.
    setInterval(() => parents() !== npm && stop(), 500).unref()
  }
  server.once('exit', (code, signal) => process.exit(exitCode(code, signal)))
}

/** Returns the parent process and, if that is a shell on Linux, its parent too: `npm start` runs a shell in between. */
function parents() {
  const parent = process.ppid
  try {
    const [, grandparent] =
      /\((?:ba|da)?sh\) \S (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, 'utf8')) ?? []
    return `${parent} ${grandparent}`
  } catch {
    return `${parent}`
  }
}
