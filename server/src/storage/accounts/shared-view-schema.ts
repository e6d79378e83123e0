/** Views and charts that a project shares. */
export const sharedViewSchema = [
  `create table shared_views (
     id          text not null primary key,
     project_id  text not null references projects (id) on delete cascade,
     page        text not null,
     name        text not null,
     query       text not null,
     created_by  text references users (id) on delete set null,
     created_at  text not null,
     unique (project_id, page, name)
   )`,
  `create index shared_views_by_creator on shared_views (created_by)`,
]

/** A table of its own, as SQLite cannot change what is unique in one. */
export const savedViewPages = [
  `create table page_views (
     id          text not null primary key,
     project_id  text not null references projects (id) on delete cascade,
     user_id     text not null references users (id) on delete cascade,
     page        text not null,
     name        text not null,
     query       text not null,
     created_at  text not null,
     unique (project_id, user_id, page, name)
   )`,
  `insert into page_views (id, project_id, user_id, page, name, query, created_at)
   select id, project_id, user_id, 'traces', name, query, created_at from saved_views`,
  `drop table saved_views`,
  `alter table page_views rename to saved_views`,
  `create index saved_views_by_user on saved_views (user_id)`,
]
