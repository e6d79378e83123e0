import type { Kysely } from 'kysely'
import { alertEventStore } from './alert-event-store.ts'
import { alertRuleStore } from './alert-rule-store.ts'
import { auditStore } from './audit-store.ts'
import { chatAttachmentStore } from './chat-attachment-store.ts'
import { chatTurnStore } from './chat-turn-store.ts'
import { commentStore } from './comment-store.ts'
import { conversationStore } from './conversation-store.ts'
import { costRunStore } from './cost-run-store.ts'
import { databaseClock } from './database-clock.ts'
import { evaluationRuleStore } from './evaluation-rule-store.ts'
import { evaluatorCollectionStore } from './evaluator-collection-store.ts'
import { evaluatorStore } from './evaluator-store.ts'
import { expiredRowStore } from './expired-row-store.ts'
import { idempotencyRecordStore } from './idempotency-record-store.ts'
import { installationStore } from './installation-store.ts'
import { inviteStore } from './invite-store.ts'
import { jobStore } from './job-store.ts'
import { keyDirectoryStore } from './key-directory-store.ts'
import { mailboxStore } from './mailbox-store.ts'
import { membershipStore } from './membership-store.ts'
import { modelConfigStore } from './model-config-store.ts'
import { organizationStore } from './organization-store.ts'
import { passwordLinkStore } from './password-link-store.ts'
import { platformAccessStore } from './platform-access-store.ts'
import { platformSpendStore } from './platform-spend-store.ts'
import { priceStore } from './price-store.ts'
import { projectShardStore } from './project-shard-store.ts'
import { projectStore } from './project-store.ts'
import { reviewQueueStore } from './review-queue-store.ts'
import { savedViewStore } from './saved-view-store.ts'
import { sealedStore } from './sealed-store.ts'
import { sessionStore } from './session-store.ts'
import { sessionTransferStore } from './session-transfer-store.ts'
import { sharedViewStore } from './shared-view-store.ts'
import { ssoDomainStore } from './sso-domain-store.ts'
import { ssoFlowStore } from './sso-flow-store.ts'
import { ssoIdentityStore } from './sso-identity-store.ts'
import { ssoSessionStore } from './sso-session-store.ts'
import { ssoStore } from './sso-store.ts'
import type { Tables } from './tables.ts'
import { traceChangeStore } from './trace-change-store.ts'
import { tracingKeyStore } from './tracing-key-store.ts'
import { userStore } from './user-store.ts'

export type AccountStores = ReturnType<typeof accountStores>

/** The stores of all tables, on a database or within a transaction. */
export function accountStores(db: Kysely<Tables>) {
  return {
    installation: installationStore(db),
    users: userStore(db),
    organizations: organizationStore(db),
    memberships: membershipStore(db),
    projects: projectStore(db),
    tracingKeys: tracingKeyStore(db),
    sessions: sessionStore(db),
    audit: auditStore(db),
    clock: databaseClock(db),
    invites: inviteStore(db),
    passwordLinks: passwordLinkStore(db),
    sessionTransfers: sessionTransferStore(db),
    platformAccess: platformAccessStore(db),
    sso: ssoStore(db),
    ssoDomains: ssoDomainStore(db),
    ssoIdentities: ssoIdentityStore(db),
    ssoSessions: ssoSessionStore(db),
    ssoFlows: ssoFlowStore(db),
    sealed: sealedStore(db),
    comments: commentStore(db),
    traceChanges: traceChangeStore(db),
    savedViews: savedViewStore(db),
    sharedViews: sharedViewStore(db),
    prices: priceStore(db),
    modelConfigs: modelConfigStore(db),
    platformSpend: platformSpendStore(db),
    evaluators: evaluatorStore(db),
    evaluatorCollections: evaluatorCollectionStore(db),
    evaluationRules: evaluationRuleStore(db),
    alertRules: alertRuleStore(db),
    alertEvents: alertEventStore(db),
    reviewQueues: reviewQueueStore(db),
    costRuns: costRunStore(db),
    keyDirectory: keyDirectoryStore(db),
    mailboxes: mailboxStore(db),
    chatAttachments: chatAttachmentStore(db),
    conversations: conversationStore(db),
    chatTurns: chatTurnStore(db),
    jobs: jobStore(db),
    idempotencyRecords: idempotencyRecordStore(db),
    projectShards: projectShardStore(db),
    expiredRows: expiredRowStore(db),
  }
}
