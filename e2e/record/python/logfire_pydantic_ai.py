"""Logfire's instrumentation of a Pydantic AI agent that calls Anthropic."""

import logfire
from conversation import QUESTION, SESSION
from pydantic_ai_model import weather_agent

# Its exporter is configured by OpenTelemetry's environment variables.
logfire.configure(send_to_logfire=False, console=False, metrics=False, service_version="1.0.0")
logfire.instrument_pydantic_ai()
weather_agent().run_sync(QUESTION, conversation_id=SESSION)
logfire.shutdown()
