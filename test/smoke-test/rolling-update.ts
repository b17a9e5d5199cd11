import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Actor } from '#test/actor.ts'
import { type Machine, type RunningNode, step } from './machine.ts'
import { runProgram } from './programs.ts'
import { loginCookie, visit, visitRendered } from './ssr.ts'

const assetPath = /\/assets\/[\w.-]+/g

/**
 * Replaces the running release with the next one, one node after the other, while pages are opened. One node is down already. Returns
 * the running nodes. Throws on the first failure.
 */
export async function checkRollingUpdate(
  machine: Machine,
  nodes: readonly RunningNode[],
  settings: Readonly<Record<string, string>>,
): Promise<RunningNode[]> {
  const { url, release, nextRelease } = machine
  const [older, newer] = await Promise.all([filesOf(release), filesOf(nextRelease)])
  const [first, second] = nodes
  assert.ok(first && second)
  // Two members, because server rendering is limited per member.
  const [hal, ivy] = [new Actor(url), new Actor(url)]
  await hal.join({ username: 'hal' })
  await ivy.join({ username: 'ivy' })

  // Open pages still request these files, also after a rollback (docs/deployment.md).
  const [from, to] = [release, nextRelease].map((folder) => join(folder, 'dist/web'))
  await runProgram('cp', ['-ru', `${from}/assets`, `${to}/`])
  await runProgram('cp', ['-ru', `${to}/assets`, `${from}/`])

  const pages = openPages(url, ivy, older)

  const running: RunningNode[] = []
  await step('an old and a new node serve the pages and assets of both releases', async () => {
    for (const type of ['.js', '.css']) {
      assert.ok(
        newer.some((file) => file.endsWith(type) && !older.includes(file)),
        `no new ${type} file`,
      )
      assert.ok(
        older.some((file) => file.endsWith(type) && !newer.includes(file)),
        `no old ${type} file`,
      )
    }
    running.push(await machine.startNode(nextRelease, first.port, settings))
    for (const node of machine.nodeUrls)
      await visitRendered(node, '/listings', hal, `data-member="${hal.id}"`)
    // nginx distributes connections round-robin.
    for (let turn = 0; turn < 3; turn += 1)
      assert.deepEqual(await findMissing(url, [...new Set([...older, ...newer])]), [])
  })
  await step('new nodes serve the assets of pages of the old release', async () => {
    await second.stop()
    running.push(await machine.startNode(nextRelease, second.port, settings))
    for (const node of machine.nodeUrls) {
      assert.deepEqual(await findMissing(node, older), [])
      await visitRendered(node, '/listings', hal, `data-member="${hal.id}"`)
    }
  })
  await step('all pages opened during the update loaded their assets', async () => {
    const { failed, seen } = await pages.stop()
    assert.deepEqual(failed, [])
    assert.ok(seen.older > 0 && seen.newer > 0)
    console.log(`    ${seen.older} pages of the old release and ${seen.newer} of the new one`)
  })
  await step('after a rollback a node of the old release serves the assets of the new one', async () => {
    await running.pop()?.stop()
    running.push(await machine.startNode(release, second.port, settings))
    for (const node of machine.nodeUrls) assert.deepEqual(await findMissing(node, newer), [])
  })
  return running
}

/** Opens a page again and again until `stop`, which returns the failures and the numbers of pages of each release. */
function openPages(url: string, member: Actor, older: readonly string[]) {
  const failed: string[] = []
  const seen = { older: 0, newer: 0 }
  let isOver = false
  const opening = open()
  async function open() {
    while (!isOver) {
      const { status, text } = await visit(url, '/listings', loginCookie(member))
      if (status !== 200) failed.push(`/listings: ${status}`)
      const files = [...new Set(text.match(assetPath))]
      const isNewer = files.some((file) => !older.includes(file))
      seen[isNewer ? 'newer' : 'older'] += 1
      failed.push(...(await findMissing(url, files)))
      await sleep(300)
    }
  }
  return {
    async stop() {
      isOver = true
      await opening
      return { failed, seen }
    },
  }
}

/** Returns the paths of the hashed files of a release. */
async function filesOf(release: string): Promise<string[]> {
  const names = await readdir(join(release, 'dist/web/assets'))
  return names.filter((name) => !/\.(?:br|gz)$/.test(name)).map((name) => `/assets/${name}`)
}

/** Returns the files that a server does not serve, with their statuses. */
async function findMissing(url: string, files: readonly string[]): Promise<string[]> {
  const failures: string[] = []
  for (const file of files) {
    const { status, body } = await fetch(url + file)
    await body?.cancel()
    if (status !== 200) failures.push(`${file}: ${status}`)
  }
  return failures
}
