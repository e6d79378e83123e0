"""MLflow's tracing of a LangGraph agent, sent over OTLP."""

import os

os.environ["OTEL_EXPORTER_OTLP_PROTOCOL"] = "http/protobuf"

import mlflow  # noqa: E402
from langgraph_agent import ask_langgraph  # noqa: E402

mlflow.langchain.autolog()
ask_langgraph()
mlflow.flush_trace_async_logging()
