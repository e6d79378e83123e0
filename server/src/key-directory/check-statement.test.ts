import { randomBytes } from 'node:crypto'
import { addKeyStatement } from '@assay/contract/encryption-keys.ts'
import { buildChain, listActive } from '@assay/contract/key-chain.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DeviceKeyPairs, newDeviceKeys } from '../../../web/chat/src/crypto/device-keys.ts'
import {
  headAfter,
  type SignedStatement,
  signNew,
} from '../../../web/chat/src/crypto/key-statements.ts'
import { bytesOf, hashOf } from './chain.ts'
import { issueChallenge, openChallenge } from './challenge.ts'
import { checkStatement, listUses } from './check-statement.ts'

/*
 * Properties of the checks, on statements that are signed as a browser does it. The routes test each refusal.
 */

const secret = randomBytes(32)
const owner = {
  org: '0f0e0d0c-0b0a-4908-8706-050403020100',
  user: '1f0e0d0c-0b0a-4908-8706-050403020100',
}
const at = new Date('2026-05-01T08:00:00.000Z')

const { body } = addKeyStatement
const schema = body?.as === 'json' ? body.schema : expect.unreachable('it has a JSON body')

interface Operation {
  readonly type: SignedStatement['statement']['type']
  /** Which of the active devices acts, and which is revoked. */
  readonly by: number
  readonly target: number
}

/** Their operations are valid: without a chain they enroll, and without an active device they reset. */
function newPerson() {
  const { chain, add } = buildChain()
  const used = new Set<string>()
  const keys = new Map<string, DeviceKeyPairs>()
  const pick = (index: number) => {
    const active = listActive(chain)
    return keys.get(active[index % active.length]?.id ?? '')
  }
  return {
    chain,
    async sign(operation: Operation): Promise<SignedStatement> {
      const by = pick(operation.by)
      const type = chain.seq === 0 ? 'enroll' : by === undefined ? 'reset' : operation.type
      const old = type === 'revoke' ? pick(operation.target) : undefined
      const device = old ?? (await newDeviceKeys(type === 'rotate' ? by?.id : undefined))
      if (old === undefined && type !== 'rotate') keys.set(device.id, device)
      const acts = chain.seq === 0 || type === 'reset' || by === undefined ? device : by
      const challenge = issueChallenge(secret, owner, at)
      const signed = await signNew({
        type,
        label: 'Laptop',
        owner,
        after: chain,
        challenge,
        device,
        by: acts,
      })
      if (type === 'rotate') keys.set(device.id, device)
      return signed
    },
    check(sent: SignedStatement) {
      const issued = { id: sent.challenge_id, nonce: sent.statement.nonce }
      const challenge = openChallenge(secret, owner, issued, at)
      return checkStatement(sent, { owner, chain, challenge, used })
    },
    add({ statement }: SignedStatement) {
      add(statement, hashOf(bytesOf(statement)), at.toISOString())
      for (const one of listUses(statement)) used.add(one)
    },
  }
}

const operation: fc.Arbitrary<Operation> = fc.record({
  type: fc.constantFrom('enroll', 'rotate', 'recovery', 'revoke', 'reset'),
  by: fc.nat(50),
  target: fc.nat(50),
})

test('any sequence of valid statements is accepted once, and devices, head and generation follow from it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 12 }), async (operations) => {
      const person = newPerson()
      const active = new Set<string>()
      let generation = 1
      for (const wanted of operations) {
        const signed = await person.sign(wanted)
        const { statement } = signed
        expect(person.check(signed)).toBeUndefined()
        person.add(signed)
        expect(person.check(signed)).toBe('challenge')
        if (statement.type === 'reset') {
          generation += 1
          active.clear()
        }
        if (statement.type === 'revoke') active.delete(statement.device)
        else active.add(statement.device)
        const { seq, head } = person.chain
        expect({ seq, head }).toEqual(await headAfter(statement))
      }
      const ids = listActive(person.chain).map(({ id }) => id)
      expect(ids.toSorted()).toEqual([...active].toSorted())
      expect(person.chain).toMatchObject({ generation, seq: operations.length })
    }),
    { seed: 1, numRuns: 25 },
  )
}, 60_000)

test('a valid statement is refused after any change of one of its characters', async () => {
  const person = newPerson()
  const first = await person.sign({ type: 'enroll', by: 0, target: 0 })
  const enrolled = newPerson()
  enrolled.add(await enrolled.sign({ type: 'enroll', by: 0, target: 0 }))
  const second = await enrolled.sign({ type: 'enroll', by: 0, target: 0 })
  const cases = [
    [person, JSON.stringify(first)],
    [enrolled, JSON.stringify(second)],
  ] as const
  fc.assert(
    fc.property(
      fc.constantFrom(...cases),
      fc.nat(2000),
      fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }),
      ([signer, text], position, character) => {
        const place = position % text.length
        const changed = text.slice(0, place) + character + text.slice(place + 1)
        expect(changed === text || isRefused(signer, changed)).toBe(true)
      },
    ),
    { seed: 1, numRuns: 2000 },
  )
  for (const [signer, text] of cases) expect(isRefused(signer, text)).toBe(false)
}, 60_000)

/** By the schema or by a check. */
function isRefused(person: ReturnType<typeof newPerson>, text: string): boolean {
  try {
    const sent = JSON.parse(text) as SignedStatement
    if (!schema.safeParse({ org: 'acme', project: 'project', ...sent }).success) return true
    return person.check(sent) !== undefined
  } catch {
    return true
  }
}
