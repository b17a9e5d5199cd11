// `npm start` installs and builds what is missing and runs the server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
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

/** The time in milliseconds after which a stopping server is killed: 4.8 s for open requests, and DRAIN_SECONDS. */
const killDelayMs = 4800 + 1000 * (Number(environment.DRAIN_SECONDS) || 0)

/** The parents at the start. Another parent later means that npm was killed. */
const firstParents = parentIds()

try {
  await requireFreePort(Number(environment.PORT ?? 3000))
  await install()
  await buildWeb()
  serve(await findNode())
} catch (error) {
  if (!(error instanceof ScriptError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/**
 * Throws if the port is in use: installing and building would take the packages and the client from a server that runs. Leaves other
 * errors to the server.
 * @param {number} port
 */
async function requireFreePort(port) {
  const probe = createServer()
  try {
    await once(probe.listen(port, environment.HOST ?? '127.0.0.1'), 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new ScriptError(
        `Port ${port} is in use. Stop the Rhubarb or other program that runs there, or choose another port: PORT=3001 npm start`,
      )
  } finally {
    probe.close()
  }
}

/** @param {string} node */
function serve(node) {
  // A terminal sends Ctrl-C to the whole process group, and npm forwards it to this script too. The server has a process group of
  // its own and gets the signal once, from here. If this script is killed, the IPC channel closes and the server stops.
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

  if (environment.npm_lifecycle_event !== undefined) {
    // A killed npm sends no signal, but its children get another parent.
    setInterval(() => parentIds() !== firstParents && stop(), 500).unref()
  }
  server.once('exit', (code, signal) => process.exit(exitCode(code, signal)))
}

/** Returns the id of the parent process and, if that is a shell on Linux, of its parent too: `npm start` runs a shell in between. */
function parentIds() {
  const parent = process.ppid
  try {
    const [, grandparent] =
      /\((?:ba|da)?sh\) \S (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, 'utf8')) ?? []
    return `${parent} ${grandparent}`
  } catch {
    return `${parent}`
  }
}
