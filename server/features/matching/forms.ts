import { isGroupOnly } from './classify.ts'
import type { Form } from './form.ts'
import type { Item } from './recognize.ts'
import type { Role } from './words.ts'

const passedRoles: readonly Role[] = ['qualifiers', 'colors', 'measures', 'forms']

/**
 * Returns the forms that words give the name at `at`: "fig tree", "apple and pear trees", "semillas de tomate y chile". `isOnly`: the text
 * has no other name, so the words for its main part may be anywhere in it.
 */
export function formsAt(items: readonly Item[], at: number, isOnly: boolean): readonly Form[] {
  const item = items[at]
  const own = item?.form && isOwnForm(item) ? [item.form] : []
  const found = [...own, ...formsAfter(items, at), ...formsBefore(items, at)]
  if (found.length === 0 && isOnly && items.some(({ form }) => form === 'main')) return ['main']
  return found
}

/** Returns whether a name ends with a form that is no part of the crop's usual name: "squash blossom", but not "curry leaf". */
function isOwnForm(item: Item): boolean {
  const last = item.words.at(-1) ?? ''
  return (
    item.words.length > 1 &&
    !isGroupOnly(item) &&
    !item.senses.some(({ concept }) => concept.name.endsWith(last))
  )
}

function formsAfter(items: readonly Item[], at: number): Form[] {
  const found: Form[] = []
  let isPlural = items[at]?.isPlural === true
  for (let index = at + 1; index < items.length; index += 1) {
    const item = items[index]
    if (!item) break
    const isAside = item.gap !== 'none' && item.gap !== 'stop' && item.form !== undefined
    if (item.gap !== 'none' && !isAside && !isNextName(items, index, isPlural)) break
    if (item.form) found.push(item.form)
    else if (found.length === 0 && isNextName(items, index, isPlural)) isPlural = item.isPlural
    else if (found.length === 0 && item.roles.has('conjunctions')) continue
    else if (item.roles.has('conjunctions') && items[index + 1]?.form) continue
    else if (!passedRoles.some((role) => item.roles.has(role)) && !item.isNumber) break
  }
  return found
}

/** Returns whether an item is a further name that shares the form with the singular names before it: "tomato, pepper and kale starts". */
function isNextName(items: readonly Item[], at: number, isPlural: boolean): boolean {
  const item = items[at]
  if (!item || isPlural || item.senses.length === 0 || item.form) return false
  return item.gap === 'comma' || items[at - 1]?.roles.has('conjunctions') === true
}

function formsBefore(items: readonly Item[], at: number): Form[] {
  for (let index = at - 1; index >= 0 && items[index + 1]?.gap !== 'stop'; index -= 1) {
    const item = items[index]
    if (!item) break
    const gap = items[index + 1]?.gap
    if (item.form) {
      const isLinked =
        items[index + 1]?.roles.has('links') || (index === at - 1 && item.roles.has('qualifiers'))
      return isLinked && gap === 'none' ? [item.form] : []
    }
    const isJoining = item.roles.has('conjunctions') || item.roles.has('links') || item.senses.length > 0
    if (gap === 'dash' || (!isJoining && !passedRoles.some((role) => item.roles.has(role)))) break
  }
  return []
}
