import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  addKeyStatement,
  type EncryptionDevice,
  readEncryptionKeys,
} from '@assay/contract/encryption-keys.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import type { AccessControl } from '../../accounts/access-control.ts'
import { userActor } from '../../accounts/audit.ts'
import type { ProjectCaller } from '../../accounts/caller.ts'
import { type Bind, ReadyJson } from '../../http/call.ts'
import { deviceFingerprint, personFingerprint } from '../../key-directory/chain.ts'
import { issueChallenge } from '../../key-directory/challenge.ts'
import { logKeyId } from '../../key-directory/key-log.ts'
import { readChain, type StoredChain } from '../../key-directory/read-chain.ts'
import { projectNotFound } from '../../platform/failure.ts'
import type { KeyLogRow } from '../../storage/accounts/key-directory-tables.ts'
import { addStatement } from './add-statement.ts'
import type { EncryptionKeysPorts } from './encryption-keys-ports.ts'
import { findOrCreateLog } from './organization-log.ts'

/** Few enough that other requests are served in between. */
const fingerprintsPerTurn = 100

interface BindPorts extends EncryptionKeysPorts {
  readonly bind: Bind
  readonly access: Pick<AccessControl, 'getNamedProjectCaller'>
}

export function registerEncryptionKeys({ bind, access, ...ports }: BindPorts): void {
  const { accounts, clock, challengeSecret } = ports

  bind(readEncryptionKeys, async ({ caller, query, signal }) => {
    const member = await access.getNamedProjectCaller(caller, query.org, query.project)
    const owner = ownerOf(member)
    const project = await accounts.projects.find(member.organizationId, member.projectId)
    if (project === undefined) throw projectNotFound()
    const log = await findOrCreateLog(owner.org, ports)
    const stored = await readChain(owner, ports, signal)
    const about = {
      ...{ org: query.org, org_id: owner.org, project: query.project, project_id: project.id },
      policy: { mode: project.encrypted_history },
      members: [],
      challenge: issueChallenge(challengeSecret, owner, clock.now()),
      log_head: toApiLogHead(log),
    }
    const statements = `[${stored.statements.join()}]`
    const me = withMember(await toApiChain(owner, stored), 'statements', statements)
    return new ReadyJson(withMember(about, 'me', me))
  })

  bind(addKeyStatement, async ({ caller, client, body, signal }) => {
    const member = await access.getNamedProjectCaller(caller, body.org, body.project)
    const actor = userActor(member.user, client)
    return await addStatement(ownerOf(member), body, actor, ports, signal)
  })
}

function ownerOf({ organizationId, user }: ProjectCaller): KeyOwner {
  return { org: organizationId, user: user.id }
}

/** The object as JSON, with one more member whose value is JSON already. */
function withMember(object: object, name: string, json: string): string {
  return `${JSON.stringify(object).slice(0, -1)},"${name}":${json}}`
}

/** Without its statements. */
async function toApiChain(owner: KeyOwner, { chain }: StoredChain) {
  const devices: EncryptionDevice[] = []
  for (const device of chain.devices.values()) {
    devices.push({ ...device, fingerprint: deviceFingerprint(owner, device) })
    if (devices.length % fingerprintsPerTurn === 0) await nextTurn()
  }
  return {
    user_id: owner.user,
    generation: chain.generation,
    head: chain.head,
    fingerprint: personFingerprint(owner, chain),
    devices,
  }
}

function toApiLogHead({ size, hash, signature, public_key }: KeyLogRow) {
  return { size, hash, signature, key_id: logKeyId(public_key), public_key }
}
