"""A Semantic Kernel agent with its own tracing, and with its log records, which hold the content."""

import logging
import os

from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.resources import Resource

resource = Resource.create({"service.name": os.environ["OTEL_SERVICE_NAME"]})
logs = LoggerProvider(resource=resource)
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter(), schedule_delay_millis=600_000))
handler = LoggingHandler(logger_provider=logs)
handler.addFilter(logging.Filter("semantic_kernel"))
# Paths of the code are recorded otherwise.
handler.addFilter(lambda record: setattr(record, "pathname", record.filename) or True)
logging.getLogger().addHandler(handler)
logging.getLogger("semantic_kernel").setLevel(logging.INFO)

import semantic_kernel_chat  # noqa: E402, F401

logs.shutdown()
