/*
 * The statements of the first migration. They are never edited, because existing databases have run them.
 */

export const firstSchema: readonly string[] = [
  `create table users (
     id                 text not null primary key,
     email              text not null,
     email_key          text not null unique,
     email_verified_at  text,
     email_verified_by  text,
     name               text not null,
     password_hash      text,
     is_super_admin     integer not null check (is_super_admin in (0, 1)),
     disabled_at        text,
     created_at         text not null
   )`,
  `create table organizations (
     id                     text not null primary key,
     name                   text not null,
     slug                   text not null unique,
     data_residency_region  text not null,
     plan_tier              text not null,
     created_at             text not null
   )`,
  `create table memberships (
     organization_id  text not null references organizations (id) on delete cascade,
     user_id          text not null references users (id) on delete cascade,
     role             text not null check (role in ('Owner', 'Admin', 'Editor', 'Viewer')),
     joined_at        text not null,
     primary key (organization_id, user_id)
   )`,
  `create index memberships_by_user on memberships (user_id)`,
  `create table projects (
     id               text not null primary key,
     organization_id  text not null references organizations (id),
     name             text not null,
     slug             text not null,
     legacy_key_hash  text not null unique,
     retention_days   integer,
     created_at       text not null,
     unique (organization_id, slug)
   )`,
  `create table tracing_keys (
     id          text not null primary key,
     project_id  text not null references projects (id) on delete cascade,
     key_prefix  text not null,
     key_hint    text not null,
     hash        text not null unique,
     created_by  text references users (id) on delete set null,
     created_at  text not null,
     revoked_at  text
   )`,
  `create index tracing_keys_by_project on tracing_keys (project_id, created_at)`,
  `create table sessions (
     id             text not null primary key,
     user_id        text not null references users (id) on delete cascade,
     method         text not null,
     sso_config_id  text,
     created_at     text not null,
     last_seen_at   text not null,
     expires_at     text not null,
     ip             text not null,
     user_agent     text
   )`,
  `create index sessions_by_user on sessions (user_id)`,
  `create index sessions_by_sso_config on sessions (sso_config_id)`,
  `create table session_tokens (
     token_hash  text not null primary key,
     session_id  text not null references sessions (id) on delete cascade
   )`,
  `create index session_tokens_by_session on session_tokens (session_id)`,
  `create table invites (
     id               text not null primary key,
     token_hash       text not null unique,
     organization_id  text not null references organizations (id) on delete cascade,
     email            text not null,
     email_key        text not null,
     role             text not null check (role in ('Owner', 'Admin', 'Editor', 'Viewer')),
     invited_by       text references users (id) on delete set null,
     created_at       text not null,
     expires_at       text not null,
     accepted_at      text,
     revoked_at       text
   )`,
  `create index invites_by_organization on invites (organization_id, email_key)`,
  `create table password_links (
     user_id     text not null primary key references users (id) on delete cascade,
     token_hash  text not null unique,
     by_mail     integer not null check (by_mail in (0, 1)),
     created_at  text not null,
     expires_at  text not null
   )`,
  `create table session_transfers (
     code_hash   text not null primary key,
     session_id  text not null references sessions (id) on delete cascade,
     flow_hash   text not null,
     expires_at  text not null
   )`,
  `create table platform_access (
     id          text not null primary key,
     pattern     text not null unique,
     added_by    text references users (id) on delete set null,
     created_at  text not null
   )`,
  `create table sso_configs (
     id                    text not null primary key,
     organization_id       text not null unique references organizations (id) on delete cascade,
     protocol              text not null check (protocol in ('oidc', 'saml')),
     issuer                text,
     client_id             text,
     client_secret         text,
     client_secret_set_at  text,
     idp_entity_id         text,
     idp_sso_url           text,
     idp_certificate       text,
     enforced              integer not null check (enforced in (0, 1)),
     default_role          text not null check (default_role in ('Admin', 'Editor', 'Viewer')),
     created_at            text not null,
     updated_at            text not null
   )`,
  `create table sso_domains (
     sso_config_id  text not null references sso_configs (id) on delete cascade,
     domain         text not null,
     token          text not null,
     primary key (sso_config_id, domain)
   )`,
  // Any organization may claim a domain; it is verified for one of them.
  `create table sso_verified_domains (
     domain         text not null primary key,
     sso_config_id  text not null,
     verified_at    text not null,
     verified_by    text not null check (verified_by in ('dns', 'approval')),
     foreign key (sso_config_id, domain) references sso_domains (sso_config_id, domain)
       on delete cascade
   )`,
  `create index sso_verified_domains_by_config on sso_verified_domains (sso_config_id)`,
  `create table sso_identities (
     sso_config_id  text not null references sso_configs (id) on delete cascade,
     issuer         text not null,
     subject        text not null,
     user_id        text not null references users (id) on delete cascade,
     created_at     text not null,
     primary key (sso_config_id, issuer, subject)
   )`,
  `create index sso_identities_by_user on sso_identities (user_id)`,
  `create table sso_tests (
     sso_config_id  text not null references sso_configs (id) on delete cascade,
     user_id        text not null references users (id) on delete cascade,
     fingerprint    text not null,
     succeeded_at   text not null,
     primary key (sso_config_id, user_id)
   )`,
  `create table sso_flows (
     state_hash         text not null primary key,
     browser_hash       text not null,
     sso_config_id      text not null references sso_configs (id) on delete cascade,
     fingerprint        text not null,
     purpose            text not null check (purpose in ('sign-in', 'test', 'link')),
     tester_id          text references users (id) on delete cascade,
     return_to          text not null,
     asserted_identity  text,
     expires_at         text not null
   )`,
  `create index sso_flows_by_expiry on sso_flows (expires_at)`,
  `create table sso_used_assertions (
     sso_config_id  text not null references sso_configs (id) on delete cascade,
     assertion_id   text not null,
     expires_at     text not null,
     primary key (sso_config_id, assertion_id)
   )`,
  `create index sso_used_assertions_by_expiry on sso_used_assertions (expires_at)`,
  `create table sso_discovery_clients (
     client         text not null primary key,
     request_times  text not null,
     expires_at     text not null
   )`,
  `create index sso_discovery_clients_by_expiry on sso_discovery_clients (expires_at)`,
  `create table master_key (
     id      integer not null primary key check (id = 1),
     canary  text not null
   )`,
  // Without references: an event outlives what it refers to.
  `create table audit_log (
     id               text not null primary key,
     at               text not null,
     organization_id  text,
     actor_kind       text not null,
     actor_id         text,
     actor_email      text,
     action           text not null,
     target_kind      text not null,
     target_id        text,
     client_address   text,
     user_agent       text,
     request_id       text,
     details          text not null
   )`,
  `create index audit_log_by_organization on audit_log (organization_id, id)`,
  `create table trace_comments (
     id          text not null primary key,
     project_id  text not null references projects (id) on delete cascade,
     trace_id    text not null,
     author_id   text references users (id) on delete set null,
     text        text not null,
     created_at  text not null
   )`,
  `create index trace_comments_by_trace on trace_comments (project_id, trace_id, id)`,
  `create index trace_comments_by_author on trace_comments (author_id)`,
  `create table saved_views (
     id          text not null primary key,
     project_id  text not null references projects (id) on delete cascade,
     user_id     text not null references users (id) on delete cascade,
     name        text not null,
     query       text not null,
     created_at  text not null,
     unique (project_id, user_id, name)
   )`,
  `create table installation (
     id         integer not null primary key check (id = 1),
     set_up_at  text not null
   )`,
  `create table price_rules (
     id               text not null primary key,
     organization_id  text not null references organizations (id) on delete cascade,
     project_id       text references projects (id) on delete cascade,
     kind             text not null check (kind in ('price', 'alias')),
     model            text not null,
     provider         text,
     valid_from       text,
     valid_to         text,
     terms            text not null,
     note             text,
     identity         text not null unique,
     created_by       text references users (id) on delete set null,
     created_at       text not null,
     updated_at       text not null
   )`,
  `create index price_rules_by_organization on price_rules (organization_id, project_id)`,
  `create index price_rules_by_project on price_rules (project_id)`,
  `create table jobs (
     id               text not null primary key,
     kind             text not null,
     organization_id  text references organizations (id) on delete cascade,
     project_id       text references projects (id) on delete cascade,
     unique_key       text,
     created_by       text references users (id) on delete set null,
     input            text not null,
     state            text not null
       check (state in ('queued', 'running', 'completed', 'failed', 'cancelled')),
     position         text,
     progress         text not null,
     problem          text,
     attempts         integer not null,
     worker           text,
     available_at     text not null,
     created_at       text not null,
     started_at       text,
     finished_at      text
   )`,
  `create index jobs_by_project on jobs (project_id, kind, id)`,
  `create index jobs_by_organization on jobs (organization_id)`,
  `create index jobs_by_creator on jobs (created_by)`,
  `create index active_jobs_by_availability on jobs (available_at) where state in ('queued', 'running')`,
  `create unique index active_jobs_by_unique_key on jobs (unique_key) where state in ('queued', 'running')`,
  // Without references: a change outlives its projects until it is completed.
  `create table trace_changes (
     id               text not null primary key,
     project_id       text not null,
     from_project_id  text,
     trace_id         text not null,
     audit_event      text not null,
     started_at       text not null
   )`,
]
