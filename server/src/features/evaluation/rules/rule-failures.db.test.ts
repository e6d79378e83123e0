import {
  createEvaluationRule,
  type EvaluationRule,
  listEvaluationRules,
  updateEvaluationRule,
} from '@assay/contract/evaluation-rules.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { removeModelConfig } from '@assay/contract/model-configs.ts'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { evaluationSuite } from '../../../../test/evaluation-suite.ts'
import { eventually } from '../../../../test/eventually.ts'
import { Unavailable } from '../../../platform/failure.ts'
import type { SettledTracePage } from '../../../storage/telemetry/port/settling.ts'

interface Hooks {
  /** Replaces a page of settled traces. */
  onPage?: (page: SettledTracePage) => SettledTracePage | Promise<SettledTracePage>
  /** Before what a rule has stored of a trace is read. */
  beforeRun?: () => Promise<void>
  /** Before the spans of a trace are read. */
  beforeSpans?: () => Promise<void>
  /** After results are stored. */
  afterScores?: () => Promise<void>
  /** Once the call of a judge is paid for. */
  onJudgeCall?: () => void
}
let hooks: Hooks = {}
beforeEach(() => {
  hooks = {}
})

const {
  service,
  tenant,
  owner,
  editor,
  viewer,
  sent,
  storage,
  inProject,
  inOrganization,
  addCollection,
  addOfflineCollection,
  addJudge,
  addModel,
  runsOf,
} = evaluationSuite({
  evaluationDelayMs: 0,
  wrapTelemetry: (telemetry) => ({
    ...telemetry,
    // A commit to the files of a test takes no time.
    listedWithinMs: () => (inject('isScaled') ? telemetry.listedWithinMs() : 0),
    async listSettledTraces(projectId, query, options) {
      const page = await telemetry.listSettledTraces(projectId, query, options)
      return projectId === tenant.projectId ? ((await hooks.onPage?.(page)) ?? page) : page
    },
    async findScoreRun(projectId, traceId, runId, options) {
      await hooks.beforeRun?.()
      return telemetry.findScoreRun(projectId, traceId, runId, options)
    },
    async readSpansJson(projectId, traceId, query, options) {
      await hooks.beforeSpans?.()
      return telemetry.readSpansJson(projectId, traceId, query, options)
    },
    async recordScores(projectId, scores) {
      const recorded = await telemetry.recordScores(projectId, scores)
      if (projectId === tenant.projectId) await hooks.afterScores?.()
      return recorded
    },
    encode(spans) {
      if (spans.some(({ name }) => name === `judge ${judgeName}`)) hooks.onJudgeCall?.()
      return telemetry.encode(spans)
    },
  }),
})

const judgeName = 'Polite'

async function ingest(traceId: string, more: object = {}) {
  const started_at = new Date().toISOString()
  const output = { text: 'In Oslo.' }
  const spans = [{ span_id: 'a', name: 'run', kind: 'agent', started_at, output }]
  const body = { trace_id: traceId, spans, ...more }
  expect((await service.call(ingestTrace, { body }, tenant.keyHeader)).status).toBe(202)
}

const addJudgeCollection = async () => addCollection([await addJudge(judgeName)])

async function created(body: object): Promise<EvaluationRule> {
  const args = { params: inProject(), body: { name: 'New', ...body } }
  const { status, data } = await service.call(createEvaluationRule, args, editor)
  expect(status).toBe(201)
  return data
}

const change = (ruleId: string, body: object) =>
  service.call(updateEvaluationRule, { params: { ...inProject(), ruleId }, body }, editor)

/** The state of the rule once it is as expected. */
const reaches = (ruleId: string, state: Partial<EvaluationRule['state']>) =>
  eventually(async () => {
    const { data } = await service.call(listEvaluationRules, { params: inProject() }, viewer)
    const rule = data.find(({ id }) => id === ruleId)
    expect(rule?.state).toMatchObject(state)
    return rule!.state
  })

/** As after earlier failures of the job of a rule, whose delays grow. */
const setFailedAttempts = () =>
  service.query(
    `UPDATE jobs SET attempts = 6 WHERE kind = 'evaluation_rule'
     AND project_id = '${tenant.projectId}' RETURNING id`,
  )

/** As after a kill of the process: the step is repeated, and what it returns is not stored. */
const loseLease = () =>
  service.query(
    `UPDATE jobs SET worker = 'killed', available_at = '2026-01-01T00:00:00.000Z'
     WHERE kind = 'evaluation_rule' AND project_id = '${tenant.projectId}' RETURNING id`,
  )

const loseResponse = () => Promise.reject(new Unavailable('The connection was lost.', 1))

describe('an evaluation rule', () => {
  test.each([
    ['is interrupted', loseLease],
    ['gets an error', loseResponse],
  ])(
    'that %s after it has stored results does not evaluate the trace again',
    async (_how, fail) => {
      let interruptions = 0
      hooks.afterScores = async () => {
        delete hooks.afterScores
        interruptions += 1
        await fail()
      }
      const collection_id = await addJudgeCollection()
      const { id } = await created({ collection_id, model_config_id: await addModel() })
      await ingest('t1')
      await ingest('t2')
      const { cost_usd_total } = await reaches(id, { evaluated_total: 2 })
      expect([interruptions, sent().length]).toEqual([1, 2])
      expect(cost_usd_total).toBeCloseTo(0.0022, 7)
      expect([(await runsOf('t1')).length, (await runsOf('t2')).length]).toEqual([1, 1])
    },
  )

  test('counts the cost of attempts that are repeated for the limit of the day', async () => {
    hooks.onJudgeCall = () => {
      throw new Unavailable('The database is busy.', 1)
    }
    const collection_id = await addJudgeCollection()
    const model_config_id = await addModel()
    const { id } = await created({ collection_id, model_config_id, max_cost_usd_per_day: 0.002 })
    await ingest('t1')
    const { cost_usd_total } = await reaches(id, { skipped_total: 1 })
    expect(cost_usd_total).toBeCloseTo(0.0022, 7)
    expect(sent()).toHaveLength(2)
  })

  test('skips a trace that it cannot evaluate, and goes on', async () => {
    storage.before = () => {
      storage.before = undefined
      return Promise.reject(new Error('a defect'))
    }
    const { id } = await created({ collection_id: await addOfflineCollection() })
    await ingest('t1')
    await ingest('t2')
    await reaches(id, { evaluated_total: 1, skipped_total: 1 })
    const runs = await Promise.all(['t1', 't2'].map(runsOf))
    expect(runs.flat()).toHaveLength(1)
  })

  test('skips a trace whose step fails each time, after a few attempts, and goes on', async () => {
    let failures = 0
    hooks.beforeSpans = async () => {
      failures += 1
      await setFailedAttempts()
      throw new Unavailable('The trace takes too much memory.', 1)
    }
    const { id } = await created({ collection_id: await addOfflineCollection() })
    await ingest('t1')
    await reaches(id, { evaluated_total: 0, skipped_total: 1 })
    expect([failures, await runsOf('t1')]).toEqual([1, []])
    delete hooks.beforeSpans
    await ingest('t2')
    await reaches(id, { evaluated_total: 1, skipped_total: 1 })
  })

  test('waits while traces cannot be read, however long, and skips none', async () => {
    let failures = 0
    hooks.beforeRun = async () => {
      if (failures === 2) return
      failures += 1
      await setFailedAttempts()
      throw new Unavailable('ClickHouse does not respond.', 1)
    }
    const { id } = await created({ collection_id: await addOfflineCollection() })
    await ingest('t1')
    await reaches(id, { evaluated_total: 1, skipped_total: 0 })
    expect([failures, (await runsOf('t1')).length]).toEqual([2, 1])
  })
})

describe('a rule whose results cannot be stored', () => {
  /** Of a trace that was evaluated. Returns how often its results could not be stored. */
  async function startOutage() {
    let failures = 0
    storage.before = async () => {
      failures += 1
      await setFailedAttempts()
      throw new Unavailable('The disk is full.', 1)
    }
    const collection_id = await addJudgeCollection()
    const configId = await addModel()
    const { id } = await created({ collection_id, model_config_id: configId })
    await ingest('t1')
    await ingest('t2')
    await eventually(() => expect(failures).toBeGreaterThan(2))
    return { id, configId, failures: () => failures }
  }

  test('keeps them, however long, and pays for each trace once', async () => {
    const { id } = await startOutage()
    const { cost_usd_total } = await reaches(id, { evaluated_total: 0, skipped_total: 0 })
    expect(cost_usd_total).toBeCloseTo(0.0011, 7)
    expect(sent()).toHaveLength(1)
    storage.before = undefined
    const state = await reaches(id, { evaluated_total: 2, skipped_total: 0 })
    expect(state.cost_usd_total).toBeCloseTo(0.0022, 7)
    expect(sent()).toHaveLength(2)
    const runs = (await Promise.all(['t1', 't2'].map(runsOf))).flat()
    const [result] = runs.flatMap(({ results }) => results)
    expect(runs).toHaveLength(2)
    expect(result).toMatchObject({ reasoning: 'I read it.', criteria: [{ verdict: 'yes' }] })
  })

  test('keeps them when it is edited, and when its model is deleted', async () => {
    const { id, configId } = await startOutage()
    const params = { ...inOrganization(), configId }
    expect((await change(id, { name: 'Renamed' })).status).toBe(200)
    expect((await service.call(removeModelConfig, { params }, owner)).status).toBe(200)
    storage.before = undefined
    const { cost_usd_total } = await reaches(id, { evaluated_total: 1, status: 'stopped' })
    expect(cost_usd_total).toBeCloseTo(0.0011, 7)
    expect(sent()).toHaveLength(1)
  })

  test('counts them once when it is interrupted after it has stored them', async () => {
    const { id } = await startOutage()
    let interruptions = 0
    hooks.afterScores = async () => {
      delete hooks.afterScores
      interruptions += 1
      await loseLease()
    }
    storage.before = undefined
    const { cost_usd_total } = await reaches(id, { evaluated_total: 2 })
    expect([interruptions, sent().length]).toEqual([1, 2])
    expect(cost_usd_total).toBeCloseTo(0.0022, 7)
  })

  test.each([
    ['', async () => undefined],
    [' and edited', (id: string) => change(id, { name: 'Renamed' })],
  ])('counts them once when their response is lost and it is interrupted%s', async (_how, edit) => {
    let interruptions = 0
    hooks.afterScores = async () => {
      delete hooks.afterScores
      interruptions += 1
      await loseLease()
      await edit(id)
      await loseResponse()
    }
    const collection_id = await addJudgeCollection()
    const { id } = await created({ collection_id, model_config_id: await addModel() })
    await ingest('t1')
    const { cost_usd_total } = await reaches(id, { evaluated_total: 1 })
    expect([interruptions, sent().length]).toEqual([1, 1])
    expect(cost_usd_total).toBeCloseTo(0.0011, 7)
  })

  test('ends when it is disabled, with the cost counted', async () => {
    const { id, failures } = await startOutage()
    await change(id, { is_enabled: false })
    await eventually(async () => {
      const active = `SELECT id FROM jobs WHERE project_id = '${tenant.projectId}'
        AND kind = 'evaluation_rule' AND state IN ('queued', 'running')`
      expect(await service.query(active)).toEqual([])
    })
    const before = failures()
    const { cost_usd_total } = await reaches(id, { status: 'disabled', evaluated_total: 0 })
    expect(cost_usd_total).toBeCloseTo(0.0011, 7)
    expect([failures(), sent().length]).toEqual([before, 1])
  })
})

describe('a rule whose filters are widened', () => {
  const noTraces: SettledTracePage = { traces: [], end: undefined, remaining: 0 }

  /** Both arrive before the rule reads a page. */
  async function startPage(environments: readonly [string, string], edit: (id: string) => void) {
    hooks.onPage = () => noTraces
    const filters = { environment: 'prod' }
    const { id } = await created({ collection_id: await addOfflineCollection(), filters })
    await ingest('t1', { environment: environments[0] })
    await ingest('t2', { environment: environments[1] })
    await eventually(async () => {
      const delayMs = inject('isScaled') ? service.telemetry.listedWithinMs() : 0
      const until = BigInt(Date.now() - delayMs) * 1_000_000n
      const query = { filters: {}, receivedSince: 0n, until, scanLimit: 9, countLimit: 9 }
      const page = await service.telemetry.listSettledTraces(tenant.projectId, query)
      expect(page.traces).toHaveLength(2)
    })
    delete hooks.onPage
    edit(id)
    return id
  }

  const widen = (id: string) => change(id, { filters: {} })

  test.each<[string, readonly [string, string], (id: string) => void]>([
    [
      'it evaluates the last one that matched',
      ['prod', 'dev'],
      (id) => {
        storage.before = async () => {
          storage.before = undefined
          await widen(id)
        }
      },
    ],
    [
      'results of the last one that matched cannot be stored',
      ['prod', 'dev'],
      (id) => {
        let failures = 0
        storage.before = async () => {
          failures += 1
          if (failures === 2) await widen(id)
          if (failures === 3) storage.before = undefined
          else throw new Unavailable('The disk is full.', 1)
        }
      },
    ],
    [
      'it reads traces of which none matches',
      ['dev', 'dev'],
      (id) => {
        hooks.onPage = async (page) => {
          if (page.traces.length > 0) throw new Error('no trace should match')
          if (page.end === undefined || page.remaining > 0) return page
          delete hooks.onPage
          await widen(id)
          return page
        }
      },
    ],
  ])('while %s evaluates the traces that follow it', async (_when, environments, edit) => {
    const id = await startPage(environments, edit)
    await reaches(id, { evaluated_total: 2, skipped_total: 0 })
    expect([(await runsOf('t1')).length, (await runsOf('t2')).length]).toEqual([1, 1])
  })
})
