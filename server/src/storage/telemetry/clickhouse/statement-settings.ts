import type { ClickHouseSettings } from '@clickhouse/client'

/*
 * Settings that are sent to ClickHouse with every statement.
 */

/** These are the defaults, but an operator may have changed them. */
const always: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_denormals: 0,
  output_format_json_escape_forward_slashes: 0,
  // Rows with one key replace each other also across the months in which they arrived.
  do_not_merge_across_partitions_select_final: 0,
  // An index does not hide the newest row of a key, of which an earlier one then seems to be the last.
  use_skip_indexes_if_final_exact_mode: 1,
  // Deleted rows are not returned, nor stored again.
  apply_deleted_mask: 1,
  // What * selects is what INSERT takes.
  asterisk_include_materialized_columns: 0,
  asterisk_include_alias_columns: 0,
}

/** A part of a result is never taken for all of it. */
const complete: ClickHouseSettings = {
  ...{ limit: '0', offset: '0' },
  ...{ read_overflow_mode: 'throw', result_overflow_mode: 'throw', timeout_overflow_mode: 'throw' },
  ...{ group_by_overflow_mode: 'throw', sort_overflow_mode: 'throw', set_overflow_mode: 'throw' },
  ...{ distinct_overflow_mode: 'throw', join_overflow_mode: 'throw' },
  skip_unavailable_shards: 0,
  partial_result_on_first_cancel: 0,
}

export const ofReads: ClickHouseSettings = {
  ...always,
  ...complete,
  // Rows are sent as they are found. Without `readonly`, the server would not notice that nobody waits for them.
  wait_end_of_query: 0,
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
}

/** Of one read among several: it uses the disk rather than more memory, and fails rather than take that of others. */
export const ofLimitedReads: ClickHouseSettings = {
  ...ofReads,
  max_memory_usage: String(1024 ** 3),
  max_bytes_before_external_group_by: String(256 * 1024 ** 2),
  max_bytes_before_external_sort: String(256 * 1024 ** 2),
  max_result_bytes: String(256 * 1024 ** 2),
}

export const ofWrites: ClickHouseSettings = {
  ...always,
  // Moves and re-pricing store what they select.
  ...complete,
  // The reply means that the statement is complete, and its rows are stored.
  wait_end_of_query: 1,
  async_insert: 0,
  // Deletions are complete on this server when the statement is; a replica that is not there would make them fail.
  lightweight_deletes_sync: '1',
  // A move, from a data folder or of a trace, stores rows of all the months in which they arrived.
  max_partitions_per_insert_block: '0',
  // A row that cannot be stored fails its statement.
  input_format_allow_errors_num: '0',
  input_format_allow_errors_ratio: 0,
  materialized_views_ignore_errors: 0,
}

export const ofClusterWrites: ClickHouseSettings = {
  ...ofWrites,
  // Rows that are acknowledged are on most replicas.
  insert_quorum: 'auto',
  insert_quorum_timeout: 30_000,
  // Tables are created on a server that is not there now when it is back.
  distributed_ddl_task_timeout: '30',
  distributed_ddl_output_mode: 'null_status_on_timeout',
}

/** Each server of the cluster executes the statement when it can. */
export const ofQueuedStatements: ClickHouseSettings = {
  ...ofClusterWrites,
  distributed_ddl_task_timeout: '0',
}
