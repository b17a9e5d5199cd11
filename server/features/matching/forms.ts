import { isGroupOnly } from './classify.ts'
import type { Form } from './form.ts'
import type { Item } from './recognize.ts'
import type { Role } from './words.ts'

const passedRoles: readonly Role[] = ['qualifiers', 'colors', 'measures', 'forms']
const joiningRoles: readonly Role[] = [...passedRoles, 'conjunctions', 'links', 'sources', 'function_words']

/**
 * Returns the forms that words give the name at `at`: "fig tree", "apple and pear trees", "semillas de tomate y chile". `isOnly`: the text
 * has no other name, so the words for its main part may be anywhere in it.
 */
export function formsAt(items: readonly Item[], at: number, isOnly: boolean): readonly Form[] {
  const item = items[at]
  const before = formsBefore(items, at)
  if (before.length > 0) return before
  const found = formsAfter(items, at)
  const own = item && !(item.words.length === 1 && isGroupOnly(item)) ? item.form : undefined
  if (own && found.every((form) => form === 'main')) return [own]
  if (found.length === 0 && isOnly && items.some(({ form }) => form === 'main')) return ['main']
  return found
}

/** Returns the forms after a name. Those that a comma or "with" adds are offered beside the crop's main part: "beets, tops on". */
function formsAfter(items: readonly Item[], at: number): Form[] {
  const found: Form[] = []
  for (let index = at + 1; index < items.length; index += 1) {
    const item = items[index]
    if (!item) break
    const isAside = (item.gap === 'comma' || item.gap === 'dash') && item.form !== undefined
    if (item.gap !== 'none' && !isAside) break
    if (item.form && isAside && isPart(item.form)) found.push('main', item.form)
    else if (item.form) found.push(item.form)
    else if (item.roles.has('conjunctions') && items[index + 1]?.form) continue
    else if (!passedRoles.some((role) => item.roles.has(role)) && !item.isNumber) break
  }
  return found
}

/** Returns whether a form is a part of the crop beside its main one: "beets, greens and all" are beets. */
function isPart(form: Form): boolean {
  return form === 'leaf' || form === 'flower' || form === 'peel'
}

/** Returns the form before a name that it belongs to: "leaves of our fig tree", "semillas de tomate". */
function formsBefore(items: readonly Item[], at: number): Form[] {
  let isLinked = false
  for (let index = at - 1; index >= 0; index -= 1) {
    const [item, next] = [items[index], items[index + 1]]
    if (!item || next?.gap === 'stop') return []
    if (next?.roles.has('links') || next?.roles.has('sources')) isLinked = true
    if (item.form)
      return next?.gap === 'none' && (isLinked || (index === at - 1 && item.roles.has('qualifiers')))
        ? [item.form]
        : []
    const isJoining = joiningRoles.some((role) => item.roles.has(role)) || item.senses.length > 0
    if (next?.gap === 'dash' || !isJoining) return []
  }
  return []
}
