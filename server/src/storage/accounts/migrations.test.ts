import { expect, test } from 'vitest'
import { migrations } from './migrations.ts'

/** The last one from before several processes of different versions could use one database. */
const last = '0023 shards of projects'

/** What no process of the version before uses any more. Add a name one version after its last use. */
const unused: readonly string[] = []

const takesAway = /^\s*drop (?!index)|\b(drop|rename|alter) column\b|\brename to\b/i

test('a migration takes nothing away that processes of the version before use during an upgrade', () => {
  const next = migrations.findIndex(({ name }) => name === last) + 1
  const taken = migrations
    .slice(next)
    .flatMap(({ statements }) => statements)
    .filter((one) => takesAway.test(one) && !unused.some((name) => one.includes(name)))
  expect([next > 0, taken]).toEqual([true, []])
})
