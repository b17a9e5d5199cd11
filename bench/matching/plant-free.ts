// `npm run bench:plant-free -- [FILE.tsv …]`: counts the posts that name no plant but offer one to the matcher, and prints them.
import { readListing } from '#server/features/matching/pipeline.ts'
import { formatShare, labelledFiles } from './rows.ts'

for (const { language, isFrozen, rows } of labelledFiles(/^plant-free/).files) {
  const phantoms = rows.flatMap(({ title = '', description = '' }) => {
    const names = plantsIn(title, description)
    return names.length > 0 ? [`  ${title} — ${description}  “${names.join(', ')}”`] : []
  })
  console.log(
    `${language}: ${phantoms.length} of ${rows.length}  ${formatShare(phantoms.length / rows.length)}`,
  )
  if (!isFrozen) for (const phantom of phantoms) console.log(phantom)
}

function plantsIn(title: string, description: string): string[] {
  const offered = [...readListing({ title, description }).byTerm.values()].flat()
  return [...new Set(offered.filter(({ concept }) => concept.kind !== 'thing').map(({ name }) => name))]
}
