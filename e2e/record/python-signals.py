"""Sends one trace, one metric and one log record with OpenTelemetry's Python SDK, configured only by environment variables."""

import logging

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

tracers = TracerProvider()
tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
meters = MeterProvider(metric_readers=[PeriodicExportingMetricReader(OTLPMetricExporter())])
loggers = LoggerProvider()
loggers.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
log = logging.getLogger("shop")
log.addHandler(LoggingHandler(logger_provider=loggers))

with tracers.get_tracer("shop").start_as_current_span("pay") as span:
    meters.get_meter("shop").create_counter("orders").add(3, {"route": "/pay"})
    meters.get_meter("shop").create_histogram("latency", unit="ms").record(12.5)
    log.error("the shop did not answer")
    print(format(span.get_span_context().trace_id, "032x"))

for provider in (tracers, meters, loggers):
    provider.shutdown()
