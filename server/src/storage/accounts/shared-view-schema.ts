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
