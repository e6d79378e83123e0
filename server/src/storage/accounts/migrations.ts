import { alertSchema } from './alert-schema.ts'
import { firstSchema } from './first-schema.ts'
import { idempotencySchema } from './idempotency-tables.ts'
import { projectShardSchema } from './project-shard-tables.ts'
import { rateCounterSchema } from './rate-counter-tables.ts'
import { reviewSchema } from './review-tables.ts'
import { savedViewPages, sharedViewSchema } from './shared-view-schema.ts'

/*
 * The migrations of the accounts database. A released migration is never edited or renamed, because
 * existing databases have applied it. The statements run on SQLite and on PostgreSQL.
 */

export interface Migration {
  /** A number for the order, and a description. */
  readonly name: string
  readonly statements: readonly string[]
}

export const migrations: readonly Migration[] = [
  { name: '0001 first schema', statements: firstSchema },
  {
    name: '0002 limits of sessions and comments',
    statements: [
      // Tokens from before count as the oldest.
      `alter table session_tokens add column created_at text not null default ''`,
      `create index session_transfers_by_session on session_transfers (session_id)`,
      `create index session_transfers_by_expiry on session_transfers (expires_at)`,
      `drop index trace_comments_by_author`,
      `create index trace_comments_by_author on trace_comments (author_id, project_id)`,
    ],
  },
  {
    name: '0003 counts in the audit log',
    statements: [
      `alter table audit_log add column event_count integer not null default 1`,
      `alter table audit_log add column last_at text`,
      `create table audit_repeats (
         key         text not null primary key,
         entries     integer not null,
         line_id     text,
         expires_at  text not null
       )`,
      `create index audit_repeats_by_expiry on audit_repeats (expires_at)`,
    ],
  },
  {
    name: '0004 models of organizations',
    statements: [
      `create table model_configs (
         id                       text not null primary key,
         organization_id          text not null references organizations (id) on delete cascade,
         label                    text not null,
         provider                 text not null,
         model                    text not null,
         base_url                 text,
         api_key                  text,
         input_usd_per_mtok       double precision,
         output_usd_per_mtok      double precision,
         cache_read_usd_per_mtok  double precision,
         created_by               text references users (id) on delete set null,
         created_at               text not null,
         updated_at               text not null
       )`,
      `create index model_configs_by_organization on model_configs (organization_id, created_at)`,
      `create table platform_spend (
         organization_id  text not null references organizations (id) on delete cascade,
         month            text not null,
         usd              double precision not null,
         calls            integer not null,
         primary key (organization_id, month)
       )`,
    ],
  },
  {
    name: '0005 evaluators and collections',
    statements: [
      `create table evaluators (
         id               text not null primary key,
         organization_id  text not null references organizations (id) on delete cascade,
         name             text not null,
         category         text not null,
         description      text not null,
         tags             text not null,
         prompt_template  text not null,
         threshold        double precision not null,
         created_at       text not null
       )`,
      `create index evaluators_by_organization on evaluators (organization_id, id)`,
      `create table evaluator_collections (
         id               text not null primary key,
         organization_id  text not null references organizations (id) on delete cascade,
         name             text not null,
         description      text not null,
         created_at       text not null
       )`,
      `create index evaluator_collections_by_organization on evaluator_collections (organization_id, id)`,
      // Without a reference to evaluators: the built-in ones have no rows.
      `create table collected_evaluators (
         organization_id  text not null,
         collection_id    text not null references evaluator_collections (id) on delete cascade,
         position         integer not null,
         evaluator_id     text not null,
         primary key (collection_id, position)
       )`,
      `create index collected_evaluators_by_evaluator on collected_evaluators (organization_id, evaluator_id)`,
    ],
  },
  {
    name: '0006 evaluation rules',
    statements: [
      `create table evaluation_rules (
         id                    text not null primary key,
         organization_id       text not null references organizations (id) on delete cascade,
         project_id            text not null references projects (id) on delete cascade,
         name                  text not null,
         is_enabled            integer not null,
         filters               text not null,
         sample_rate           double precision not null,
         collection_id         text not null,
         model_config_id       text,
         max_cost_usd_per_day  double precision not null,
         created_by            text references users (id) on delete set null,
         created_at            text not null,
         updated_at            text not null,
         active_since          text not null,
         position              text,
         checked_until         text,
         last_evaluated_at     text,
         counted_day           text not null,
         evaluated_of_day      integer not null,
         skipped_of_day        integer not null,
         cost_usd_of_day       double precision not null,
         evaluated_total       integer not null,
         skipped_total         integer not null,
         cost_usd_total        double precision not null
       )`,
      `create index evaluation_rules_by_project on evaluation_rules (project_id, id)`,
      `create index evaluation_rules_by_organization on evaluation_rules (organization_id)`,
      `create index evaluation_rules_by_creator on evaluation_rules (created_by)`,
      `create index enabled_evaluation_rules on evaluation_rules (id) where is_enabled = 1`,
    ],
  },
  {
    name: '0007 runs of the cost calculator',
    statements: [
      `create table cost_runs (
         id                  text not null primary key,
         project_id          text not null references projects (id) on delete cascade,
         created_by          text references users (id) on delete set null,
         status              text not null,
         generator           text not null,
         model_config_id     text,
         include_multi_turn  integer not null,
         scenario_count      integer not null,
         agent_excerpt       text not null,
         notices             text not null,
         agent_nano_usd      double precision not null,
         user_nano_usd       double precision not null,
         tools_nano_usd      double precision not null,
         judge_nano_usd      double precision not null,
         execution           text,
         execution_id        text,
         running_until       text,
         created_at          text not null,
         started_at          text,
         finished_at         text,
         agent_config        text not null,
         estimate            text not null
       )`,
      `create index cost_runs_by_project on cost_runs (project_id, id)`,
      `create index cost_runs_by_creator on cost_runs (created_by)`,
      `create table cost_scenarios (
         id          text not null primary key,
         project_id  text not null,
         run_id      text not null references cost_runs (id) on delete cascade,
         position    integer not null,
         content     text not null,
         unique (run_id, position)
       )`,
      `create table cost_results (
         project_id       text not null,
         run_id           text not null references cost_runs (id) on delete cascade,
         scenario_id      text not null,
         model_config_id  text not null,
         trace_id         text,
         status           text not null,
         turns            integer not null,
         tokens_in        integer not null,
         tokens_out       integer not null,
         cost_nano_usd    double precision,
         latency_ms       double precision not null,
         score            double precision,
         error            text,
         finished_at      text not null,
         primary key (run_id, scenario_id, model_config_id)
       )`,
    ],
  },
  {
    name: '0008 canceled runs of the cost calculator',
    statements: [`alter table cost_runs add column is_canceled integer not null default 0`],
  },
  {
    name: '0009 encryption keys',
    statements: [
      `alter table projects add column encrypted_history text not null default 'off'`,
      `create table key_statements (
         organization_id  text not null references organizations (id) on delete cascade,
         user_id          text not null references users (id) on delete cascade,
         seq              integer not null,
         hash             text not null,
         statement        text not null,
         sig_new          text,
         sig_by           text not null,
         created_at       text not null,
         primary key (organization_id, user_id, seq)
       )`,
      `create index key_statements_by_user on key_statements (user_id)`,
      // Without references: a key stays used when its user or organization is removed.
      `create table used_encryption_keys (
         hash  text not null primary key
       )`,
      `create table key_logs (
         id               text not null primary key,
         organization_id  text not null unique references organizations (id) on delete cascade,
         private_key      text not null,
         public_key       text not null,
         size             integer not null,
         hash             text not null,
         signature        text not null
       )`,
    ],
  },
  {
    name: '0010 chat attachments',
    statements: [
      `create table chat_attachments (
         id          text not null primary key,
         user_id     text not null references users (id) on delete cascade,
         name        text not null,
         extension   text not null,
         size        integer not null,
         chars       integer not null,
         text        text not null,
         truncated   integer not null,
         pages       integer,
         notes       text not null,
         findings    text not null,
         blocked     integer not null,
         created_at  text not null,
         expires_at  text not null
       )`,
      `create index chat_attachments_by_user on chat_attachments (user_id, created_at)`,
      `create index chat_attachments_by_expiry on chat_attachments (expires_at)`,
    ],
  },
  {
    name: '0011 why runs of the cost calculator stopped',
    statements: [`alter table cost_runs add column stopped_by text`],
  },
  {
    name: '0012 conversations',
    statements: [
      // Without a reference to the project: a job removes its conversations, which can have gigabytes.
      `create table conversations (
         id                   text not null primary key,
         project_id           text not null,
         user_id              text not null references users (id) on delete cascade,
         title                text not null,
         lower_title          text not null,
         encrypted            integer not null,
         sealed_title         text,
         message_count        integer not null,
         text_length          integer not null,
         selected_message_id  text,
         created_at           text not null,
         updated_at           text not null,
         expires_at           text
       )`,
      `create index conversations_by_user on conversations (user_id, project_id, updated_at, id)`,
      `create index conversations_by_project on conversations (project_id)`,
      `create index conversations_by_expiry on conversations (expires_at)`,
      `create table chat_messages (
         id               text not null primary key,
         conversation_id  text not null references conversations (id) on delete cascade,
         parent_id        text,
         role             text not null,
         content          text not null,
         reasoning        text not null,
         epoch            integer,
         status           text not null,
         running_until    text,
         is_stopped       integer not null,
         finish_reason    text,
         problem          text,
         notices          text not null,
         model            text,
         model_config_id  text,
         tokens_in        integer,
         tokens_out       integer,
         cost_nano_usd    double precision,
         trace_id         text,
         client_key       text unique,
         created_at       text not null
       )`,
      `create index chat_messages_by_conversation on chat_messages (conversation_id, created_at, id)`,
      `create table chat_approvals (
         conversation_id  text not null references conversations (id) on delete cascade,
         hash             text not null,
         primary key (conversation_id, hash)
       )`,
      // Columns cannot become nullable in SQLite. Attachments last for a day at most.
      `drop table chat_attachments`,
      `create table chat_attachments (
         id          text not null primary key,
         user_id     text not null references users (id) on delete cascade,
         message_id  text references chat_messages (id) on delete cascade,
         name        text not null,
         extension   text not null,
         size        integer not null,
         chars       integer not null,
         text        text not null,
         truncated   integer not null,
         pages       integer,
         notes       text not null,
         findings    text not null,
         blocked     integer not null,
         created_at  text not null,
         expires_at  text
       )`,
      `create index chat_attachments_by_user on chat_attachments (user_id, created_at)`,
      `create index chat_attachments_by_message on chat_attachments (message_id)`,
      `create index chat_attachments_by_expiry on chat_attachments (expires_at)`,
    ],
  },
  {
    name: '0013 encrypted conversations',
    statements: [
      `create table conversation_epochs (
         conversation_id  text not null references conversations (id) on delete cascade,
         epoch            integer not null,
         mailbox_pub      text not null,
         chain_seq        integer not null,
         created_at       text not null,
         primary key (conversation_id, epoch)
       )`,
      `create table conversation_keys (
         conversation_id  text not null,
         epoch            integer not null,
         device           text not null,
         enc              text not null,
         sealed           text not null,
         primary key (conversation_id, epoch, device),
         foreign key (conversation_id, epoch)
           references conversation_epochs (conversation_id, epoch) on delete cascade
       )`,
      `create index conversation_keys_by_device on conversation_keys (device)`,
    ],
  },
  {
    name: '0014 attachments of a message by their user',
    statements: [
      `drop index chat_attachments_by_message`,
      `create index chat_attachments_by_message on chat_attachments (message_id, user_id)`,
    ],
  },
  {
    name: '0015 keys of mailboxes by the key that they are sealed for',
    statements: [`alter table conversation_keys add column kem_pub text`],
  },
  {
    name: '0016 names and use of tracing keys',
    statements: [
      `alter table tracing_keys add column name text not null default 'Tracing key'`,
      `alter table tracing_keys add column last_used_at text`,
    ],
  },
  { name: '0017 alert rules', statements: alertSchema },
  { name: '0018 review queues', statements: reviewSchema },
  { name: '0019 shared views', statements: sharedViewSchema },
  { name: '0020 pages of saved views', statements: savedViewPages },
  { name: '0021 idempotency records', statements: idempotencySchema },
  { name: '0022 counters of rate limits', statements: rateCounterSchema },
  { name: '0023 shards of projects', statements: projectShardSchema },
  {
    name: '0024 bills of runs that are counted once',
    statements: [`alter table cost_runs add column last_bill_id text`],
  },
]
