"""A LangGraph agent traced by LangSmith, which exports to OpenTelemetry."""

import os
import time

os.environ |= {
    "LANGSMITH_TRACING": "true",
    "LANGSMITH_OTEL_ENABLED": "true",
    "LANGSMITH_OTEL_ONLY": "true",
    "LANGSMITH_API_KEY": "none",
    "LANGSMITH_ENDPOINT": "http://127.0.0.1:9",
}

from conversation import tracer_provider  # noqa: E402
from langchain_core.tracers.langchain import wait_for_all_tracers  # noqa: E402
from langgraph_agent import ask_langgraph  # noqa: E402

provider = tracer_provider()
ask_langgraph()
wait_for_all_tracers()
# Its client converts runs to spans on a background thread that cannot be awaited.
time.sleep(2)
provider.shutdown()
