"""Logfire's instrumentation of Anthropic within a manual span."""

import logfire
from conversation import QUESTION, anthropic_client, ask_anthropic, refuse_anthropic

# Its exporter is configured by OpenTelemetry's environment variables.
logfire.configure(send_to_logfire=False, console=False, metrics=False, service_version="1.0.0")
client = anthropic_client()
logfire.instrument_anthropic(client)
with logfire.span("answer {question}", question=QUESTION):
    ask_anthropic(client)
refuse_anthropic(client)
logfire.shutdown()
