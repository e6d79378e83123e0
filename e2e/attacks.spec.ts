import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AttackedService, startEmbedded } from '../bench/attacks/attacked-service.ts'
import { tryAttack } from '../bench/attacks/attacker.ts'
import { attacks } from '../bench/attacks/attacks.ts'
import { type Prepared, prepareTarget } from '../bench/attacks/prepare-target.ts'
import { startAttack } from '../bench/attacks/start-attack.ts'
import { runVictim, workNames } from '../bench/attacks/victim.ts'

/*
 * A small part of the load harness. `npm run test:long` runs all of it and compares latencies.
 */

let service: AttackedService
let prepared: Prepared

beforeAll(async () => {
  service = await startEmbedded()
  prepared = await prepareTarget(service, 0.01)
})
afterAll(() => service.stop())

test.each(attacks.map((attack) => [attack.name, attack] as const))(
  'the attack %s gets the responses that it declares',
  async (_name, attack) => {
    expect(await tryAttack(attack, prepared.target)).toEqual(attack.responds)
  },
)

describe('while somebody else', () => {
  test.each(['unfinished-bodies', 'sign-in-flood', 'stats-abandoned', 'json-batches'])(
    'attacks by %s, nothing is refused',
    async (name) => {
      const { outcome } = await startAttack({ name, target: prepared.target, seconds: 1 })
      const experiences = await runVictim(prepared.victim, 1)
      await outcome
      for (const work of workNames) expect([work, experiences[work].refusals]).toEqual([work, {}])
    },
  )
})
