"""A LangGraph agent, instrumented by OpenInference for LangChain."""

from conversation import tracer_provider
from langgraph_agent import ask_langgraph
from openinference.instrumentation.langchain import LangChainInstrumentor

provider = tracer_provider()
LangChainInstrumentor().instrument(tracer_provider=provider)
ask_langgraph()
provider.shutdown()
