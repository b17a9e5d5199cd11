import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Site } from './pages.ts'

/** A screen as its member sees it first: its markup, and the title of its page. */
export interface Look {
  readonly markup: string
  readonly title: string
}

/** What is drawn: the screen at a path, for a member, of these answers (`writtenOut`). */
export interface Wanted {
  readonly path: string
  readonly member: number
  readonly answers: string
}

/** What the build leaves in `dist/look`. */
export interface LookModule {
  setSite(site: Site): void
  drawLook(path: string, member: number, answers: unknown): Promise<Look>
}

/** What the thread answers: nothing of both when it is ready. */
export interface Drawing {
  readonly look?: Look
  readonly failure?: string
}

export interface Looks {
  /** Resolves to nothing when it can't be drawn, or not soon: then the page goes without. Never rejects. */
  draw(wanted: Wanted): Promise<Look | undefined>
  stop(): Promise<void>
}

export interface LooksOptions {
  /** The file that the build has left. */
  readonly module: string
  readonly site: Site
  readonly log: Logger
  /** Before another thread starts after one has ended by itself. */
  readonly restMs?: number
  /** Whoever draws for longer draws for ever. */
  readonly stuckMs?: number
}

/** A page is not held up for longer, waiting and drawing together. */
const patienceMs = 150
const mostWaiting = 16
/** Several times what it needs; it would take far more before it tidies up. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }

interface Asked {
  readonly wanted: Wanted
  readonly answer: (look: Look | undefined) => void
}

/** Draws first looks in a thread, which starts when the first is wanted. */
export function createLooks({ module, site, log, restMs = 10_000, stuckMs = 3000 }: LooksOptions): Looks {
  const waiting = new Set<Asked>()
  let thread: Worker | undefined
  let ready = false
  let drawing: Asked | undefined
  let stuck: NodeJS.Timeout | undefined
  let restUntil = 0
  let stopped = false

  function start() {
    const workerData = { module: pathToFileURL(module).href, site }
    const started = new Worker(join(import.meta.dirname, 'look-thread.ts'), { workerData, resourceLimits })
    thread = started
    started.unref()
    started.on('message', ({ look, failure }: Drawing) => {
      ready = true
      if (failure !== undefined)
        log.warn({ failure, path: drawing?.wanted.path }, 'A first look could not be drawn')
      next(look)
    })
    started.on('error', (error) => log.warn({ err: error }, 'The thread of first looks has failed'))
    started.on('exit', () => {
      if (!stopped) log.warn('The thread of first looks has ended')
      thread = undefined
      ready = false
      restUntil = performance.now() + restMs
      next(undefined)
    })
  }

  /** Answers who was drawn for, and draws for who waits longest. */
  function next(look: Look | undefined) {
    clearTimeout(stuck)
    drawing?.answer(look)
    drawing = undefined
    if (!ready) return
    const [first] = waiting
    if (first === undefined) return
    waiting.delete(first)
    drawing = first
    thread?.postMessage(first.wanted)
    stuck = setTimeout(() => thread?.terminate(), stuckMs).unref()
  }

  return {
    draw(wanted) {
      if (thread === undefined && !stopped && performance.now() >= restUntil) start()
      if (!ready || waiting.size >= mostWaiting) return Promise.resolve(undefined)
      return new Promise((resolve) => {
        const patience = setTimeout(() => asked.answer(undefined), patienceMs).unref()
        const asked: Asked = {
          wanted,
          answer(look) {
            clearTimeout(patience)
            waiting.delete(asked)
            resolve(look)
          },
        }
        waiting.add(asked)
        if (drawing === undefined) next(undefined)
      })
    },
    async stop() {
      stopped = true
      await thread?.terminate()
      for (const { answer } of waiting) answer(undefined)
    },
  }
}
