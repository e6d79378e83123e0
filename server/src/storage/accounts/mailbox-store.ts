import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { type Kysely, sql } from 'kysely'
import type { ConversationEpochRow, ConversationKeyRow } from './chat-tables.ts'
import { ownConversation } from './own-conversation.ts'
import type { Tables } from './tables.ts'

/** A key with the public half of its mailbox. */
export type ListedKey = Omit<ConversationKeyRow, 'device' | 'kem_pub'> &
  Pick<ConversationEpochRow, 'mailbox_pub'>

/** The mailbox of an epoch, with its key for one device. */
export type EpochOfDevice = Pick<ConversationEpochRow, 'epoch' | 'mailbox_pub'> & {
  readonly enc: string | null
  readonly sealed: string | null
}

/** Ids of devices or recovery keys, which may be the same. */
export interface LackingKeys {
  readonly device: string
  readonly lacking: string
  /** The present key of `lacking`. */
  readonly kem_pub: string
}

/** The mailboxes of encrypted conversations, and their keys. */
export function mailboxStore(db: Kysely<Tables>) {
  return { ...epochs(db), ...keys(db), ...additions(db) }
}

function epochs(db: Kysely<Tables>) {
  return {
    findLastEpoch(
      userId: string,
      conversationId: string,
    ): Promise<ConversationEpochRow | undefined> {
      return db
        .selectFrom('conversation_epochs')
        .selectAll()
        .where('conversation_id', '=', ownConversation(db, userId, conversationId))
        .orderBy('epoch', 'desc')
        .limit(1)
        .executeTakeFirst()
    },

    /** False when the conversation already has such an epoch: roll the transaction back. */
    async insertEpoch(
      row: ConversationEpochRow,
      sealedKeys: readonly Omit<ConversationKeyRow, 'conversation_id' | 'epoch'>[],
    ): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('conversation_epochs')
        .values(row)
        .onConflict((conflict) => conflict.columns(['conversation_id', 'epoch']).doNothing())
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows !== 1n) return false
      const { conversation_id, epoch } = row
      await db
        .insertInto('conversation_keys')
        .values(sealedKeys.map((key) => ({ ...key, conversation_id, epoch })))
        .execute()
      return true
    },

    /** By conversation, in order. */
    async listEpochs(
      userId: string,
      conversationIds: readonly string[],
      device: string,
    ): Promise<(EpochOfDevice & Pick<ConversationEpochRow, 'conversation_id'>)[]> {
      if (conversationIds.length === 0) return []
      return await db
        .selectFrom('conversation_epochs as e')
        .innerJoin('conversations as c', 'c.id', 'e.conversation_id')
        .leftJoin('conversation_keys as k', (join) =>
          join
            .onRef('k.conversation_id', '=', 'e.conversation_id')
            .onRef('k.epoch', '=', 'e.epoch')
            .on('k.device', '=', device),
        )
        .select(['e.conversation_id', 'e.epoch', 'e.mailbox_pub', 'k.enc', 'k.sealed'])
        .where('c.user_id', '=', userId)
        .where('e.conversation_id', 'in', conversationIds)
        .orderBy('e.conversation_id')
        .orderBy('e.epoch')
        .execute()
    },
  }
}

function keys(db: Kysely<Tables>) {
  return {
    /**
     * Of the user in the organization: keys of `device` that are not sealed for `kem_pub`, the present key of `lacking`.
     * One that was stored without its key counts as sealed for it, except to `lacking` itself.
     */
    listLacking(
      { user, org }: KeyOwner,
      { device, lacking, kem_pub }: LackingKeys,
      limit: number,
    ): Promise<ListedKey[]> {
      return db
        .selectFrom('conversation_keys as k')
        .innerJoin('conversation_epochs as e', (join) =>
          join
            .onRef('e.conversation_id', '=', 'k.conversation_id')
            .onRef('e.epoch', '=', 'k.epoch'),
        )
        .innerJoin('conversations as c', 'c.id', 'k.conversation_id')
        .innerJoin('projects as p', 'p.id', 'c.project_id')
        .select(['k.conversation_id', 'k.epoch', 'k.enc', 'k.sealed', 'e.mailbox_pub'])
        .where('c.user_id', '=', user)
        .where('p.organization_id', '=', org)
        .where('k.device', '=', device)
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('conversation_keys as other')
                .select('other.device')
                .whereRef('other.conversation_id', '=', 'k.conversation_id')
                .whereRef('other.epoch', '=', 'k.epoch')
                .where('other.device', '=', lacking)
                .where((given) =>
                  given.or([
                    given('other.kem_pub', '=', kem_pub),
                    ...(device === lacking ? [] : [given('other.kem_pub', 'is', null)]),
                  ]),
                ),
            ),
          ),
        )
        .limit(limit)
        .execute()
    },

    /** The epochs of the user's conversations in the organization, among those of the given conversations. */
    listOwnedEpochs(
      { user, org }: KeyOwner,
      conversationIds: readonly string[],
    ): Promise<Pick<ConversationEpochRow, 'conversation_id' | 'epoch'>[]> {
      return db
        .selectFrom('conversation_epochs as e')
        .innerJoin('conversations as c', 'c.id', 'e.conversation_id')
        .innerJoin('projects as p', 'p.id', 'c.project_id')
        .select(['e.conversation_id', 'e.epoch'])
        .where('c.user_id', '=', user)
        .where('p.organization_id', '=', org)
        .where('e.conversation_id', 'in', conversationIds)
        .execute()
    },
  }
}

function additions(db: Kysely<Tables>) {
  return {
    /** Returns how many are new, or replace one for another key of the device. Those of epochs that the user does not have in the organization are left out. */
    async insertKeys(
      { user, org }: KeyOwner,
      rows: readonly ConversationKeyRow[],
    ): Promise<number> {
      const given = rows.map(
        ({ conversation_id, epoch, device, kem_pub, enc, sealed }) =>
          sql`(${conversation_id}, cast(${epoch} as integer), ${device}, ${kem_pub}, ${enc}, ${sealed})`,
      )
      const { numAffectedRows } = await sql`
        with given (conversation_id, epoch, device, kem_pub, enc, sealed) as (values ${sql.join(given)})
        insert into conversation_keys (conversation_id, epoch, device, kem_pub, enc, sealed)
        select g.conversation_id, g.epoch, g.device, g.kem_pub, g.enc, g.sealed
        from given g
        join conversation_epochs e on e.conversation_id = g.conversation_id and e.epoch = g.epoch
        join conversations c on c.id = g.conversation_id
        join projects p on p.id = c.project_id
        where c.user_id = ${user} and p.organization_id = ${org}
        on conflict (conversation_id, epoch, device) do update
          set kem_pub = excluded.kem_pub, enc = excluded.enc, sealed = excluded.sealed
          where conversation_keys.kem_pub is distinct from excluded.kem_pub
      `.execute(db)
      return Number(numAffectedRows ?? 0n)
    },
  }
}
