import { parentPort, workerData } from 'node:worker_threads'
import type { Drawing, LookModule, Wanted } from './looks.ts'
import type { Site } from './pages.ts'

// Draws what it is told to, one at a time, in a thread of its own: the app has one login and one query cache.
const { module, site } = workerData as { module: string; site: Site }
const { drawLook, rehearse, setSite }: LookModule = await import(module)
setSite(site)
parentPort?.on('message', async ({ path, member, answers }: Wanted) => {
  tell(await drawLook(path, member, JSON.parse(answers)).then((look) => ({ look }), failed))
})
tell(await rehearse().then(() => ({}), failed))

function tell(drawing: Drawing) {
  parentPort?.postMessage(drawing)
}

function failed(failure: unknown): Drawing {
  return { failure: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure) }
}
