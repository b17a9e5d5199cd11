import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renditionFile } from '#server/platform/images/images.ts'
import type { Storage } from '#server/platform/images/storage.ts'
import type { Db } from '#server/tables.ts'
import { listReportedPhotos, listReports, type ReportRow } from './queries.ts'

const maxReports = 50

/** Describes the newest reports. */
export async function describeReports(db: Db): Promise<string> {
  const rows = await listReports(db, maxReports)
  const lines = rows.map((row) => {
    const { id, created_at, reporter, noticed, reason, content } = row
    const words = content === null ? reason : `${reason}\n“${content}”`
    return `${id}  ${created_at}  ${noticed ? '(the site)' : (reporter ?? '(gone)')} on ${describeSubject(row)}\n    ${words.replaceAll('\n', '\n    ')}`
  })
  return lines.length > 0 ? lines.join('\n') : 'No reports.'
}

/** Copies the photos of a report to a new folder, because no page shows them to the operator. Returns the paths. */
export async function copyReportedPhotos(db: Db, storage: Storage, report: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `rhubarb-report-${report}-`))
  const paths: string[] = []
  for (const { name, widths } of await listReportedPhotos(db, report)) {
    const photo = await storage.open(renditionFile(name, widths.at(-1) ?? 0))
    if (!photo) continue
    const path = join(folder, `${paths.length + 1}.webp`)
    await writeFile(path, photo.stream)
    paths.push(path)
  }
  return paths.length > 0 ? paths.join('\n') : 'No photos.'
}

function describeSubject({ listing_id, listing_title, message_id, thanks_id, username }: ReportRow): string {
  if (listing_id !== null) return `listing ${listing_id} "${listing_title}" by ${username}`
  const kind = message_id !== null ? 'message from' : thanks_id !== null ? 'thank-you from' : 'member'
  return `${kind} ${username ?? '(gone)'}`
}
