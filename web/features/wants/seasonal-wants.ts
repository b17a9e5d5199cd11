import { t } from '@lingui/core/macro'

/** The countries of sites south of the equator, where the seasons are six months apart. */
const southern = ['AR', 'AU', 'BO', 'BR', 'CL', 'NZ', 'PE', 'PY', 'UY', 'ZA']

/** Returns examples of what members want at a date: first of spring, then of summer, fall and winter. */
export function seasonalWants(date: Date, country: string): readonly string[] {
  const month = (date.getUTCMonth() + (southern.includes(country) ? 6 : 0)) % 12
  if (month >= 2 && month <= 4) return [t`tomato plants`, t`rhubarb`, t`lettuce seeds`]
  if (month >= 5 && month <= 7) return [t`zucchini`, t`basil`, t`raspberries`]
  if (month >= 8 && month <= 10) return [t`apples`, t`garlic bulbs`, t`kale`]
  return [t`lemons`, t`tomato seeds`, t`leeks`]
}
