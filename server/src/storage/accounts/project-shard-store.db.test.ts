import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'

describe.each(engines)('the shards of projects in %s', (engine) => {
  let opened: TestAccounts
  beforeEach(async () => {
    opened = await openTestAccounts(engine)
  })
  afterEach(() => opened.remove())

  test('are those with the fewest projects, and stay, whatever is added', async () => {
    const { projectShards } = opened.accounts
    const assigned = []
    for (const project of ['a', 'b', 'c', 'd']) {
      assigned.push(await projectShards.assign(project, ['first', 'second']))
    }
    expect(assigned).toEqual(['first', 'second', 'first', 'second'])
    expect(await projectShards.assign('e', ['first', 'second', 'third'])).toBe('third')
    expect(await projectShards.assign('a', ['third'])).toBe('first')
    expect(await projectShards.find('a')).toBe('first')
    expect(await projectShards.find('f')).toBeUndefined()
  })

  test('are the same for all who assign one at the same time', async () => {
    const { projectShards } = opened.accounts
    const given = [['first', 'second'], ['second'], ['first'], ['third', 'first']]
    const assigned = await Promise.all(given.map((ids) => projectShards.assign('a', ids)))
    expect(new Set(assigned).size).toBe(1)
    expect(await projectShards.find('a')).toBe(assigned[0])
  })
})
