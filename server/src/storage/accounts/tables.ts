import type { AlertDeliveryRow, AlertEventRow, AlertRuleRow } from './alert-tables.ts'
import type { AuditRepeatRow, AuditRow } from './audit-tables.ts'
import type {
  ChatApprovalRow,
  ChatAttachmentRow,
  ChatMessageRow,
  ConversationEpochRow,
  ConversationKeyRow,
  ConversationRow,
} from './chat-tables.ts'
import type { CostResultRow, CostRunRow, CostScenarioRow } from './cost-run-tables.ts'
import type {
  CollectedEvaluatorRow,
  EvaluationRuleRow,
  EvaluatorCollectionRow,
  EvaluatorRow,
} from './evaluation-tables.ts'
import type { IdempotencyRecordRow } from './idempotency-tables.ts'
import type { KeyLogRow, KeyStatementRow, UsedEncryptionKeyRow } from './key-directory-tables.ts'
import type { ModelConfigRow, PlatformSpendRow, PriceRuleRow } from './model-tables.ts'
import type {
  InviteRow,
  MembershipRow,
  OrganizationRow,
  PasswordLinkRow,
  PlatformAccessRow,
  ProjectRow,
  TracingKeyRow,
  UserRow,
} from './people-tables.ts'
import type { ProjectShardRow } from './project-shard-tables.ts'
import type { RateCounterRow } from './rate-counter-tables.ts'
import type { ReviewItemRow, ReviewQueueRow } from './review-tables.ts'
import type { InstallationRow, JobRow, MasterKeyRow } from './service-tables.ts'
import type { SessionRow, SessionTokenRow, SessionTransferRow } from './session-tables.ts'
import type {
  SsoConfigRow,
  SsoDomainRow,
  SsoFlowRow,
  SsoIdentityRow,
  SsoTestRow,
  SsoUsedAssertionRow,
  SsoVerifiedDomainRow,
} from './sso-tables.ts'
import type { CommentRow, SavedViewRow, SharedViewRow, TraceChangeRow } from './trace-tables.ts'

/*
 * The tables of the accounts database as types: the rows are in a file per subject, with the column names of the
 * database. Text, integer and real columns only, so that the same statements run on SQLite and PostgreSQL.
 */

export interface Tables {
  readonly users: UserRow
  readonly organizations: OrganizationRow
  readonly memberships: MembershipRow
  readonly projects: ProjectRow
  readonly tracing_keys: TracingKeyRow
  readonly sessions: SessionRow
  readonly session_tokens: SessionTokenRow
  readonly audit_log: AuditRow
  readonly audit_repeats: AuditRepeatRow
  readonly invites: InviteRow
  readonly password_links: PasswordLinkRow
  readonly session_transfers: SessionTransferRow
  readonly platform_access: PlatformAccessRow
  readonly sso_configs: SsoConfigRow
  readonly sso_domains: SsoDomainRow
  readonly sso_verified_domains: SsoVerifiedDomainRow
  readonly sso_identities: SsoIdentityRow
  readonly sso_tests: SsoTestRow
  readonly sso_flows: SsoFlowRow
  readonly sso_used_assertions: SsoUsedAssertionRow
  readonly price_rules: PriceRuleRow
  readonly model_configs: ModelConfigRow
  readonly platform_spend: PlatformSpendRow
  readonly jobs: JobRow
  readonly idempotency_records: IdempotencyRecordRow
  readonly project_shards: ProjectShardRow
  readonly rate_counters: RateCounterRow
  readonly master_key: MasterKeyRow
  readonly installation: InstallationRow
  readonly trace_comments: CommentRow
  readonly trace_changes: TraceChangeRow
  readonly saved_views: SavedViewRow
  readonly shared_views: SharedViewRow
  readonly evaluators: EvaluatorRow
  readonly evaluator_collections: EvaluatorCollectionRow
  readonly collected_evaluators: CollectedEvaluatorRow
  readonly evaluation_rules: EvaluationRuleRow
  readonly alert_rules: AlertRuleRow
  readonly alert_events: AlertEventRow
  readonly alert_deliveries: AlertDeliveryRow
  readonly review_queues: ReviewQueueRow
  readonly review_items: ReviewItemRow
  readonly cost_runs: CostRunRow
  readonly cost_scenarios: CostScenarioRow
  readonly cost_results: CostResultRow
  readonly key_statements: KeyStatementRow
  readonly used_encryption_keys: UsedEncryptionKeyRow
  readonly key_logs: KeyLogRow
  readonly chat_attachments: ChatAttachmentRow
  readonly conversations: ConversationRow
  readonly chat_messages: ChatMessageRow
  readonly chat_approvals: ChatApprovalRow
  readonly conversation_epochs: ConversationEpochRow
  readonly conversation_keys: ConversationKeyRow
}
