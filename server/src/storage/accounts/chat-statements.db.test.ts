import { join } from 'node:path'
import { type CompiledQuery, Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Engine,
  engines,
  openTestAccounts,
  silent,
  type TestAccounts,
} from '../../../test/accounts-database.ts'
import {
  attachmentRow,
  chatMessageRow,
  conversationRow,
  insertRows,
} from '../../../test/conversation-rows.ts'
import { addTenant } from '../../../test/people.ts'
import { newId } from '../../platform/ids.ts'
import { openDamage } from '../damage.ts'
import { chatAttachmentStore } from './chat-attachment-store.ts'
import { chatTurnStore } from './chat-turn-store.ts'
import { conversationStore } from './conversation-store.ts'
import { mailboxStore } from './mailbox-store.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import type { Tables } from './tables.ts'

/*
 * Every statement on conversations, their messages, attachments and keys: it begins with the user, finds nothing of
 * others, and reads no whole table.
 */

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

interface Place {
  readonly user: string
  readonly org: string
  readonly conversation: string
  readonly message: string
  readonly reply: string
  readonly files: readonly string[]
}

type Statement = (db: Kysely<Tables>, place: Place) => Promise<unknown>

const replyOf = ({ reply, conversation }: Place) => ({ id: reply, conversation_id: conversation })
const branchOf = ({ conversation, reply }: Place) => ({
  ...{ conversationId: conversation, messageId: reply, limit: 50 },
})
const text = { content: 'Y', reasoning: '', running_until: at(99) }
const ended = {
  ...({ status: 'complete', finish_reason: 'stop', problem: null } as const),
  ...{ content: 'Yes', reasoning: '', tokens_in: 1, tokens_out: 2, cost_nano_usd: 3 },
}
const key = { epoch: 1, device: 'phone', kem_pub: 'now', enc: 'enc', sealed: 'sealed' }

const reads: Readonly<Record<string, Statement>> = {
  listApprovals: (db, { user, conversation }) =>
    chatTurnStore(db).listApprovals(user, conversation),
  findChild: (db, { user, conversation, message }) =>
    chatTurnStore(db).findChild(user, conversation, message),
  findNewestMessage: (db, { user, conversation }) =>
    chatTurnStore(db).findNewestMessage(user, conversation),
  findMessage: (db, { user, conversation, message }) =>
    chatTurnStore(db).findMessage(user, conversation, message),
  listBranch: (db, place) => chatTurnStore(db).listBranch(place.user, branchOf(place)),
  listBranchTexts: (db, place) => chatTurnStore(db).listBranchTexts(place.user, branchOf(place)),
  listAttachedIds: (db, { user, message }) => chatTurnStore(db).listAttachedIds(user, message),
  findAttachedText: (db, { user, files: [id = ''] }) =>
    chatTurnStore(db).findAttachedText(user, id),
  findReply: (db, { user, reply }) => chatTurnStore(db).findReply(user, reply),
  findLease: (db, { user, reply }) => chatTurnStore(db).findLease(user, reply),
  findByKey: (db, { user, message }) => chatTurnStore(db).findByKey(user, `key of ${message}`),
  findFirstReply: (db, { user, conversation, message }) =>
    chatTurnStore(db).findFirstReply(user, conversation, message),
  listNew: (db, { user, files }) => chatAttachmentStore(db).listNew(user, files, at(5)),
  listAttached: (db, { user, conversation, files }) =>
    chatAttachmentStore(db).listAttached(user, conversation, files),
  listMessageSizes: (db, { user, conversation }) =>
    conversationStore(db).listMessageSizes(user, conversation),
  listMessages: (db, { user, conversation, message }) =>
    conversationStore(db).listMessages(user, conversation, [message]),
  listAttachedFiles: (db, { user, message }) =>
    conversationStore(db).listAttachedFiles(user, [message, ...manyIds]),
  findLastEpoch: (db, { user, conversation }) => mailboxStore(db).findLastEpoch(user, conversation),
  listEpochs: (db, { user, conversation }) =>
    mailboxStore(db).listEpochs(user, [conversation], 'laptop'),
}

const writes: Readonly<Record<string, Statement>> = {
  growConversation: (db, { user, conversation }) =>
    chatTurnStore(db).growConversation(
      ...([user, conversation] as const),
      { messages: 2, textLength: 5, messageId: newId(), now: at(5) },
      { messages: 100, textLength: 100 },
    ),
  renewReply: (db, place) => chatTurnStore(db).renewReply(place.user, replyOf(place), text),
  requestStop: (db, place) => chatTurnStore(db).requestStop(place.user, replyOf(place), at(1)),
  endReply: (db, place) => chatTurnStore(db).endReply(place.user, replyOf(place), ended, at(2)),
  replaceTitle: (db, { user, conversation }) =>
    chatTurnStore(db).replaceTitle(...([user, conversation, 'Refunds'] as const), {
      title: 'New',
      lower_title: 'new',
    }),
  attach: (db, { user, files, message }) => chatTurnStore(db).attach(user, files, message, at(5)),
  copy: (db, { user, files: [id = ''], message }) =>
    chatAttachmentStore(db).copy(user, id, { id: newId(), message_id: message }),
  insertKeys: (db, { user, org, conversation }) =>
    mailboxStore(db).insertKeys({ user, org }, [{ ...key, conversation_id: conversation }]),
}

const statements = Object.entries({ ...reads, ...writes })

/** More than a planner takes for a few. */
const manyIds = Array.from({ length: 50 }, () => newId())

/** Whether the first condition is on the user, or on a conversation of the user. */
const beginsWithUser =
  /where "?(?:\w+"?\.)?"?user_id"? = |where "?(?:\w+"?\.)?"?conversation_id"? = \(select "own"\."id" from "conversations" as "own" where "own"\."user_id" = /

describe.each(engines)('statements of conversations on %s', (engine) => {
  let opened: TestAccounts
  let db: Kysely<Tables>
  let own: Place
  let stranger: string
  let queries: CompiledQuery[] = []

  beforeAll(async () => {
    opened = await openTestAccounts(engine)
    const { projectId, organizationId, members } = await addTenant(opened.accounts)
    stranger = members.Owner.id
    const owner = { project_id: projectId, user_id: members.Viewer.id }
    const row = conversationRow(owner)
    const asked = chatMessageRow(row.id)
    const message = { ...asked, client_key: `key of ${asked.id}` }
    const reply = chatMessageRow(row.id, {
      ...{ parent_id: message.id, role: 'assistant', created_at: at(1) },
      ...{ status: 'streaming', running_until: at(9) },
    })
    const uploaded = attachmentRow(owner.user_id, { expires_at: at(9) })
    const attached = attachmentRow(owner.user_id, { message_id: message.id })
    await insertRows(opened, 'conversations', [row])
    await insertRows(opened, 'chat_messages', [message, reply])
    await insertRows(opened, 'chat_attachments', [uploaded, attached])
    await insertRows(opened, 'chat_approvals', [{ conversation_id: row.id, hash: 'h' }])
    const epoch = { conversation_id: row.id, epoch: 1, mailbox_pub: 'pub', chain_seq: 1 }
    await opened.accounts.mailboxes.insertEpoch({ ...epoch, created_at: at(0) }, [
      { ...key, device: 'laptop' },
    ])
    own = {
      ...{ user: owner.user_id, org: organizationId, conversation: row.id },
      ...{ message: message.id, reply: reply.id, files: [uploaded.id, attached.id] },
    }
    db = openDatabase(engine, opened, (query) => queries.push(query))
  })
  afterAll(async () => {
    await db.destroy()
    await opened.remove()
  })

  /** Runs it in a transaction that is rolled back. */
  async function tryOut<Result>(
    run: Statement,
    place: Place,
    then: (transaction: Kysely<Tables>) => Promise<Result>,
  ): Promise<Result> {
    const transaction = await db.startTransaction().execute()
    try {
      await run(transaction, place)
      return await then(transaction)
    } finally {
      await transaction.rollback().execute()
    }
  }

  async function queriesOf(run: Statement): Promise<readonly CompiledQuery[]> {
    return await tryOut(
      async (transaction, place) => {
        queries = []
        await run(transaction, place)
      },
      own,
      () => Promise.resolve([...queries]),
    )
  }

  const readAll = (transaction: Kysely<Tables>) =>
    Promise.all(
      (['conversations', 'chat_messages', 'chat_attachments', 'conversation_keys'] as const).map(
        (table) => transaction.selectFrom(table).selectAll().orderBy(sql`1, 2, 3`).execute(),
      ),
    )

  test.each(statements)('%s begins with the user', async (_name, run) => {
    const found = await queriesOf(run)
    expect(found).not.toEqual([])
    for (const { sql: statement } of found) expect(statement).toMatch(beginsWithUser)
  })

  test.each(statements)('%s reads by an index', async (_name, run) => {
    for (const { sql: statement, parameters } of await queriesOf(run)) {
      const plan = await explain(db, engine, { statement, parameters })
      expect(plan).not.toMatch(/SCAN (?!branch|CONSTANT|g\b|\d)|Seq Scan/)
      // PostgreSQL decides by its statistics, and SQLite by the statement: never for all files of the user.
      if (engine === 'SQLite') expect(plan).not.toMatch(/chat_attachments_by_(?:user|expiry)/)
    }
  })

  test.each(Object.entries(reads))('%s finds nothing of others', async (_name, run) => {
    const result = await run(db, own)
    expect(result).not.toEqual([])
    expect(result).toBeDefined()
    expect([[], undefined]).toContainEqual(await run(db, { ...own, user: stranger }))
  })

  test.each(Object.entries(writes))('%s changes nothing of others', async (_name, run) => {
    const before = await readAll(db)
    expect(await tryOut(run, own, readAll)).not.toEqual(before)
    expect(await tryOut(run, { ...own, user: stranger }, readAll)).toEqual(before)
  })
})

function openDatabase(
  engine: Engine,
  { location: { dataDir, databaseUrl } }: Pick<TestAccounts, 'location'>,
  onQuery: (query: CompiledQuery) => void,
): Kysely<Tables> {
  const file = join(dataDir, 'accounts.sqlite')
  return new Kysely<Tables>({
    dialect:
      engine === 'SQLite'
        ? sqliteDialect(file, openDamage('accounts', file, silent))
        : postgresDialect(databaseUrl ?? '', {
            ...{ maxConnections: 1, statementTimeoutMs: 5000, log: silent },
          }),
    log: ({ query }) => onQuery(query),
  })
}

/** With few rows, PostgreSQL scans whole tables unless it is told not to. */
async function explain(
  db: Kysely<Tables>,
  engine: Engine,
  {
    statement,
    parameters,
  }: { readonly statement: string; readonly parameters: readonly unknown[] },
): Promise<string> {
  return await db.transaction().execute(async (transaction) => {
    if (engine === 'PostgreSQL') {
      for (const way of ['seqscan', 'bitmapscan']) {
        await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(transaction)
      }
    }
    const words = engine === 'SQLite' ? 'explain query plan ' : 'explain '
    const { rows } = await transaction.executeQuery({
      ...sql`select 1`.compile(transaction),
      ...{ sql: words + statement.trim(), parameters },
    })
    return JSON.stringify(rows)
  })
}
