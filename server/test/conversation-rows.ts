import { newId, newOrderedId } from '../src/platform/ids.ts'
import type {
  ChatAttachmentRow,
  ChatMessageRow,
  ConversationRow,
} from '../src/storage/accounts/chat-tables.ts'
import type { Tables } from '../src/storage/accounts/tables.ts'
import type { EmptyDatabase } from './accounts-database.ts'

/*
 * Rows of conversations, for suites that need some without talking to a model.
 */

const at = '2026-01-01T00:00:00.000Z'

/** Without messages. */
export function conversationRow(
  owner: Pick<ConversationRow, 'project_id' | 'user_id'>,
  more: Partial<ConversationRow> = {},
): ConversationRow {
  const title = more.title ?? 'Refunds'
  return {
    ...{ id: newId(), ...owner, title, lower_title: title.toLowerCase(), encrypted: 0 },
    ...{ sealed_title: null, message_count: 0, text_length: 0, selected_message_id: null },
    ...{ created_at: at, updated_at: at, expires_at: null, ...more },
  }
}

/** Of a user, at the beginning of the conversation. */
export function chatMessageRow(
  conversation_id: string,
  more: Partial<ChatMessageRow> = {},
): ChatMessageRow {
  return {
    ...{ id: newOrderedId(), conversation_id, parent_id: null, role: 'user', content: 'Hello' },
    ...{ reasoning: '', epoch: null, status: 'complete', running_until: null, is_stopped: 0 },
    ...{ finish_reason: null, problem: null, notices: '[]', model: null, model_config_id: null },
    ...{ tokens_in: null, tokens_out: null, cost_nano_usd: null, trace_id: null },
    ...{ client_key: null, created_at: at, ...more },
  }
}

/** Of no message, unless `more` has it. */
export function attachmentRow(
  user_id: string,
  more: Partial<ChatAttachmentRow> = {},
): ChatAttachmentRow {
  return {
    ...{ id: newId(), user_id, message_id: null, name: 'terms.txt', extension: 'txt', size: 12 },
    ...{ chars: 7, text: 'Returns', truncated: 0, pages: null, notes: '[]', findings: '[]' },
    ...{ blocked: 0, created_at: at, expires_at: null, ...more },
  }
}

const rowsPerStatement = 200

/** Inserts rows that all have the same columns. */
export async function insertRows<Row extends object>(
  { query }: Pick<EmptyDatabase, 'query'>,
  table: keyof Tables,
  rows: readonly Row[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const some = rows.slice(from, from + rowsPerStatement)
    const values = some.map((row) => {
      const columnValues = Object.values(row as Readonly<Record<string, ColumnValue>>)
      return `(${columnValues.map(toLiteral).join()})`
    })
    const columns = Object.keys(some[0] ?? {}).join()
    await query(`insert into ${table} (${columns}) values ${values.join()}`)
  }
}

type ColumnValue = string | number | null

function toLiteral(value: ColumnValue): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  return `'${value.replaceAll("'", "''")}'`
}
