import { expect, test } from 'vitest'
import { openChainTurns, readChain } from './read-chain.ts'

test('chains are read one at a time for each person, and two at a time in all', async () => {
  const reading: string[] = []
  let most: readonly string[] = []
  const keyDirectory = {
    async listStatements(_org: string, user: string) {
      reading.push(user)
      if (reading.length > most.length) most = [...reading]
      await Promise.resolve()
      reading.splice(reading.indexOf(user), 1)
      return []
    },
  }
  const ports = { accounts: { keyDirectory }, chainTurns: openChainTurns() }
  const { signal } = new AbortController()
  const owners = ['ana', 'ana', 'ana', 'ben', 'cho'].map((user) => ({
    org: `org of ${user}`,
    user,
  }))
  const chains = await Promise.all(owners.map((owner) => readChain(owner, ports, signal)))
  expect(chains).toHaveLength(5)
  expect(new Set(most).size).toBe(2)
  expect(most).toHaveLength(2)
})
